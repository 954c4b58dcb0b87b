import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const locales = ['pt', 'en', 'es']
const files = ['data', 'messages']
const find = createRequire(import.meta.url)
const read = (file: string) => readFileSync(find.resolve(`emojibase-data/${file}`), 'utf8')

/** Serves names and groups of emoji from our own server, because the picker would request them from a third party. */
export const emojibase: Plugin = {
  name: 'emojibase',
  generateBundle() {
    for (const locale of locales)
      for (const file of files) {
        const fileName = `emojibase/${locale}/${file}.json`
        this.emitFile({ type: 'asset', fileName, source: read(`${locale}/${file}.json`) })
      }
  },
  configureServer(server) {
    server.middlewares.use('/emojibase', (request, response, next) => {
      const [, locale = '', file = ''] = /^\/(\w+)\/(\w+)\.json/.exec(request.url ?? '') ?? []
      if (!locales.includes(locale) || !files.includes(file)) return next()
      response.setHeader('content-type', 'application/json')
      response.end(read(`${locale}/${file}.json`))
    })
  },
}
