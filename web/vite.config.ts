import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { emojibase } from './ui/emojibase.ts'
import { unusedBlueprint } from './ui/purge.ts'

/** One string icon would fetch a pack of all of them: icons come as components. */
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

/** A button that works keeps its own name: Blueprint's spinner brings an English one. */
const namelessSpinner: Plugin = {
  name: 'nameless-spinner',
  enforce: 'pre',
  transform(code, id) {
    if (!/@blueprintjs\/core\/lib\/esm\/components\/spinner\/spinner\.js$/.test(id)) return undefined
    if (!code.includes('"aria-label": "loading"')) throw new Error('Blueprint names its spinner in another way')
    return code.replace('"aria-label": "loading"', '"aria-hidden": htmlProps["aria-label"] === undefined || undefined')
  },
}

const server = process.env.GUICHE_SERVER ?? 'http://127.0.0.1:8080'

// biome-ignore lint/style/noDefaultExport: vite reads the default export
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    noIconPacks,
    namelessSpinner,
    unusedBlueprint(fileURLToPath(new URL('.', import.meta.url))),
    emojibase,
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
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: {
      '^/api/': { target: server, ws: true },
      '/docs': { target: server },
      '/public': { target: server },
    },
  },
})
