import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { emojibase } from './ui/emojibase.ts'
import { unusedBlueprint } from './ui/purge.ts'
import { slimCalls } from './ui/slimCalls.ts'

/** Keeps icons given as strings out, because one would load the whole icon pack; icons are components. */
const noIconPacks: Plugin = {
  name: 'no-icon-packs',
  enforce: 'pre',
  load(id) {
    if (/@blueprintjs\/icons\/lib\/esm\/paths-loaders\/(allPathsLoader|splitPathsBySizeLoader)\.js$/.test(id))
      return "const no = async (name) => { throw new Error('string icon ' + name) }; export const allPathsLoader = no; export const splitPathsBySizeLoader = no"
    // Names and code points of the icon font, which only string icons need: 7 kB.
    if (/@blueprintjs\/icons\/lib\/esm\/generated\/16px\/blueprint-icons-16\.js$/.test(id))
      return 'export const BlueprintIcons_16 = {}; export const BLUEPRINT_ICONS_16_CODEPOINTS = {}'
    return undefined
  },
}

/**
 * Each icon is drawn for 16 and 20 pixels. The first drawing serves every size, which saves half of the icons'
 * weight (10 of 20 kB).
 */
const oneIconGrid: Plugin = {
  name: 'one-icon-grid',
  enforce: 'pre',
  transform(code, id) {
    const drawing = /@blueprintjs\/icons\/lib\/esm\/generated\/components\/[\w-]+\.js$/.test(id)
    if (!drawing && !/@blueprintjs\/icons\/lib\/esm\/svgIconContainer\.js$/.test(id)) return undefined
    const [from, to] = drawing ? [/const PATHS_20 = \[.*\];/, 'const PATHS_20 = PATHS_16;'] : [/isLarge \? IconSize\.LARGE : /, '']
    if (!from.test(code)) throw new Error('Blueprint renders its icons differently than expected')
    return code.replace(from, to)
  },
}

/** A loading button keeps its own name, because Blueprint's spinner adds an English one. */
const namelessSpinner: Plugin = {
  name: 'nameless-spinner',
  enforce: 'pre',
  transform(code, id) {
    if (!/@blueprintjs\/core\/lib\/esm\/components\/spinner\/spinner\.js$/.test(id)) return undefined
    if (!code.includes('"aria-label": "loading"')) throw new Error('Blueprint labels its spinner differently than expected')
    return code.replace('"aria-label": "loading"', '"aria-hidden": htmlProps["aria-label"] === undefined || undefined')
  },
}

const server = process.env.GUICHE_SERVER ?? 'http://127.0.0.1:8080'

// biome-ignore lint/style/noDefaultExport: vite reads the default export
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    noIconPacks,
    oneIconGrid,
    namelessSpinner,
    unusedBlueprint(fileURLToPath(new URL('.', import.meta.url))),
    emojibase,
    slimCalls(fileURLToPath(new URL('.', import.meta.url))),
    react(),
    VitePWA({
      registerType: 'prompt',
      filename: 'service-worker.js',
      injectRegister: false,
      manifest: {
        name: 'Guichê',
        short_name: 'Guichê',
        lang: 'pt-BR',
        start_url: '/tickets',
        display: 'standalone',
        background_color: '#f4f5f7',
        theme_color: '#f4f5f7',
        icons: [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
      },
      workbox: {
        globPatterns: ['**/*.{html,js,css,svg}'],
        navigateFallbackDenylist: [/^\/api\//, /^\/docs/, /^\/public\//],
        cleanupOutdatedCaches: true,
      },
    }),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: process.env.SOURCEMAP === '1',
    reportCompressedSize: true,
    modulePreload: false, // its lists are 3 kB of the first page, and the service worker has every file
    chunkSizeWarningLimit: 700,
    /* The first page comes in two files, because hundreds would each be compressed separately and listed by name. */
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'first', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '^/api/': { target: server, ws: true },
      '/docs': { target: server },
      '/public': { target: server },
    },
  },
})
