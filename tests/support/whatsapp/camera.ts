import type { Locator } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'

/** The code that a phone's camera reads off the screen, as it is drawn there. */
export async function readOff(picture: Locator): Promise<string> {
  const { data, info } = await sharp(await picture.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data })
}
