import chromium from '@sparticuz/chromium'

/** Unpacked once, before the files that use it begin beside each other: one would start what another still writes. */
export async function setup(): Promise<void> {
  if (!process.env.CHROMIUM) await chromium.executablePath()
}
