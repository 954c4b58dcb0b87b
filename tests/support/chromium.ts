import chromium from '@sparticuz/chromium'

/**
 * Unpacks Chromium once before the test files start, because one file could start a binary that another still
 * writes.
 */
export async function setup(): Promise<void> {
  if (!process.env.CHROMIUM) await chromium.executablePath()
}
