import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { languages } from '#domain/user/rules.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
type Language = (typeof languages)[number]
type Node = { type: string; value?: unknown; elements?: Node[] }

/** The texts of a source: each property whose value is an array of four strings. */
function rowsIn(file: string): string[][] {
  const found: string[][] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, value } = node as Node
    const texts = type === 'Property' ? (value as Node).elements?.map((one) => one?.value) : undefined
    if (texts?.length === languages.length && texts.every((one) => typeof one === 'string')) found.push(texts)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(readFileSync(path.join(root, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

const sources =
  'web/**/*.{ts,tsx}|app/mail/words.ts|domain/**/*errors.ts|domain/error-texts.ts|domain/{flow,report,dashboard}/texts.ts|domain/connection/rules.ts|app/report-filter/words.ts'
const files = sources.split('|').flatMap((pattern) => globSync(pattern, { cwd: root }))
const rows = [...new Set(files)]
  .filter((file) => !file.startsWith('web/dist/'))
  .flatMap((file) => rowsIn(file).map((texts) => ({ file, texts })))

/** Terms that are no longer used, and the term of the glossary in `web/README.md`. */
const retired: Record<Language, [pattern: string, term: string][]> = {
  'pt-BR': [
    ['tickets?', 'atendimento'],
    ['assumiu este atendimento', 'aceitar'],
    ['agentes?', 'atendente'],
    ['robôs?', 'bot'],
    ['raias?', 'coluna'],
    ['(?:sem|deu|dá|pedido de|pedir uma) nota', 'avaliação'],
    ['sai (?:quando|assim que|nesta)|(?:nem|nada) sai', 'enviar'],
    ['registar', 'registrar'],
    ['(?:atendimentos )?abertos no (?:período|dia)', 'criado'],
  ],
  en: [
    ['^serving$|(?<!out of )in service|unserved', 'open'],
    ['peek(?:ing)?', 'preview'],
    ['admins?', 'administrator'],
    ['(?:some|any|every|no)body|whoever', 'someone, no one'],
    ['lanes?', 'column'],
    ['private note', 'internal note'],
    ['assessments?|scores?', 'rating'],
    ['wallets?', 'customer portfolio'],
    ['voice notes?|accept audio', 'voice message'],
    ['practice', 'test'],
    ['kinds?', 'type'],
    ['leaves (?:when|as soon|by|in this)|not left yet|comes? in or leaves?', 'send'],
    ['anew|tries for', 'try again'],
    ['e-mails?|mails?', 'email'],
    ['log in|logged in|login', 'sign in'],
    ['first answers?', 'first response'],
    ['support times?', 'handling time'],
  ],
  es: [
    ['atenciones|(?:esta|una|ninguna|nueva|primera|(?<!Calificación de )la) atención', 'ticket'],
    ['chats?', 'conversación'],
    ['espiar', 'vista previa'],
    ['carril(?:es)?', 'columna'],
    ['notas? (?:agregada|eliminada|no encontrada)', 'observación'],
    ['valoraci(?:ón|ones)|evaluaci(?:ón|ones)|valoró', 'calificación'],
    ['celular(?:es)?', 'teléfono'],
    ['sale (?:cuando|en cuanto|en este)|ni sale|saldrá', 'enviar'],
    ['intentar de nuevo', 'reintentar'],
    ['añad\\p{L}*', 'agregar'],
    ['situaci(?:ón|ones)', 'estado'],
    ['^entrar(?: en .*)?$|entre con|entre de nuevo', 'iniciar sesión'],
    ['configuraciones', 'configuración'],
    ['responsables?', 'agente'],
  ],
  tr: [
    ['konuşma\\p{L}*|sohbet\\p{L}*', 'görüşme'],
    ['nöbet\\p{L}*|dönüşüm\\p{L}*', 'sırayla dağıtım'],
    ['deneme (?:telefonu|bağlantısı|mesajı|e-postası)', 'test'],
    ['şerit\\p{L}*|şerid\\p{L}*', 'sütun'],
    ['selam\\p{L}*', 'karşılama'],
    ['(?:hizmet|çalışma) saat\\p{L}*', 'mesai saatleri'],
    ['puan\\p{L}*', 'değerlendirme'],
    ['resim\\p{L}*|görüntü|görüntüsü', 'görsel'],
    ['gelmez ve gitmez|olarak gider|kişiye gitmez', 'gönder'],
    ['tekrar dene\\p{L}*', 'yeniden dene'],
    ['yalnız', 'yalnızca'],
    ['giriş yap\\p{L}*', 'oturum aç'],
    ['çıkış yap\\p{L}*', 'oturumu kapat'],
    ['gösterim|tanıtım\\p{L}*', 'demo'],
    ['kaldırıldı\\)', 'silindi'],
    ['medyan', 'ortanca'],
  ],
}

/** Texts that the specification fixes word by word (A-MSG-05 and the tabs of a narrow screen). */
const fixed = ['Ticket', 'Selecionar Ticket', 'Ticket ID inválido']

it('texts for users use the terms of the glossary', () => {
  expect(rows.length).toBeGreaterThan(1500)
  const found = languages.flatMap((language, column) =>
    retired[language].flatMap(([pattern, term]) => {
      const isRetired = new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'iu')
      return rows.flatMap(({ file, texts }) => {
        const text = texts[column]!
        return isRetired.test(text.replaceAll(/\{\w+\}/g, '…')) && !fixed.includes(text)
          ? [`${file}: “${text}” (${language}: ${term})`]
          : []
      })
    }),
  )
  expect(found).toEqual([])
})

it('the glossary has each term in its language', () => {
  const document = readFileSync(path.join(root, 'web/README.md'), 'utf8')
  const [, section = ''] = /\n## Glossary of the screens\n([\s\S]*?)\n## /.exec(document) ?? []
  const table = [...section.matchAll(/^\| (.+) \|$/gm)].slice(1).map(([, cells]) => cells!.split(' | '))
  expect(table.length).toBeGreaterThan(40)
  expect(table.filter((cells) => cells.length !== languages.length + 1)).toEqual([])
  const missing = languages.flatMap((language, column) => {
    const terms = table.map((cells) => cells[column + 1]!.replace(/ \(.*\)$/, ''))
    return retired[language].filter(([, term]) => !terms.includes(term)).map(([, term]) => `${language}: ${term}`)
  })
  expect(missing).toEqual([])
})
