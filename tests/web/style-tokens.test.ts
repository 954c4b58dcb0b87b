import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../web', import.meta.url))
/** Their sizes belong to what they show: printed paper, the phone of the sandbox, and emojis alone in a message. */
const exempt = [/^message\/paper\//, /^sandbox\/Phone\.module\.css: border-radius/, /: font-size: 32px$/]
const size = /^(var\(--text-(small|body|message|title|large)\)|inherit|0|1em)$/
const font = /var\(--text-(small|body|message|title|large)\)|inherit/
const radius = /^(var\(--radius(-large|-full)?\)|50%|0|inherit|[123]px)$/

it('text has one of five sizes, and corners have one of three radii', () => {
  const found = globSync('**/*.css', { cwd: root, exclude: (name) => name === 'dist' }).flatMap((file) => {
    const styles = readFileSync(path.join(root, file), 'utf8')
    return [...styles.matchAll(/^\s*(font|font-size|border-(?:[a-z]+-)*radius): ([^;]+);/gm)]
      .filter(([, property, value]) => {
        if (property === 'font') return !font.test(value!)
        if (property === 'font-size') return !size.test(value!)
        return !value!.split(' ').every((one) => radius.test(one))
      })
      .map(([, property, value]) => `${file.replaceAll(path.sep, '/')}: ${property}: ${value}`)
  })
  expect(found.filter((one) => !exempt.some((pattern) => pattern.test(one)))).toEqual([])
})

it('the accent at full strength is for the primary action, what is unread, and the logo', () => {
  const found = globSync('**/*.css', { cwd: root, exclude: (name) => name === 'dist' }).flatMap((file) => {
    const styles = readFileSync(path.join(root, file), 'utf8')
    return [...styles.matchAll(/([^{}]+)\{[^{}]*var\(--accent\)[^{}]*\}/g)].map(([, selector]) => {
      const [last] = selector!
        .replaceAll(/\/\*.*?\*\//gs, '')
        .trim()
        .split(/,?\n\s*/)
      return `${file.replaceAll(path.sep, '/')}: ${last}`
    })
  })
  const primary = 'ui/blueprint.css: .bp6-button.bp6-intent-primary:not(.bp6-minimal, .bp6-outlined)'
  expect(found.toSorted()).toEqual([
    'notification/NotificationButton.module.css: .bell[data-unread]::after',
    'shell/Mark.module.css: .ground',
    'shell/Menu.module.css: .count',
    'ticket/list/TicketList.module.css: .pill', // there are new rows above
    'ui/Badge.module.css: .badge',
    'ui/Skip.module.css: a.skip',
    primary,
    `${primary}:disabled`,
    'ui/blueprint.css: :root',
  ])
})
