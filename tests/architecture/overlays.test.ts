import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = globSync('web/**/*.{ts,tsx}', { cwd: root, exclude: (name) => name === 'dist' })
const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
const filesWith = (pattern: RegExp) => sources.filter((file) => pattern.test(text(file))).sort()

it('Back closes every overlay, because only two components use those of Blueprint', () => {
  const overlays = /import \{[^}]*\b(Dialog|MultistepDialog|Alert|Drawer|Overlay|Overlay2|OverlayNext|Omnibar)\b[^}]*\} from '@blueprintjs/
  expect(filesWith(overlays)).toEqual(['web/ui/Dialog.tsx', 'web/ui/Overlay.tsx'])
  const own = filesWith(/showModal\(|<dialog|role="(alert)?dialog"|aria-modal|css\.scrim/)
  expect(own.filter((file) => !/<Dialog|<Overlay|useBackCloses\(/.test(text(file)))).toEqual([])
  expect(['web/ui/Dialog.tsx', 'web/ui/Overlay.tsx'].filter((file) => !text(file).includes('useBackCloses('))).toEqual([])
})
