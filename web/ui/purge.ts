import type { Plugin } from 'vite'

/** Blueprint components that no screen shows: their rules are a third of its style sheet. Remove a name here to use the component. */
const unshown = [
  'breadcrumb',
  'breadcrumbs',
  'card-list',
  'control-card',
  'entity-title',
  'editable-text',
  'file-input',
  'file-upload-input',
  'multistep-dialog',
  'dialog-step',
  'navbar',
  'panel-stack',
  'panel-stack2',
  'section',
  'slider',
  'tree',
  'tree-node',
  'running-text',
  'blockquote',
  'overflow-list',
  'hotkey',
  'key-combo',
  'compound-tag',
]
const gone = new RegExp(
  [
    `\\.bp6-(${unshown.join('|')})(?![a-z0-9])`,
    '\\.bp6-icon-[a-z0-9-]+::before', // the icon font: icons are components here
    '\\[data-bp-color-scheme=', // a second way to say dark
  ].join('|'),
)

/** Drops what only speaks of unshown components; a rule shared with others keeps their selectors. */
export function purge(css: string): string {
  return css.replace(/([^{}]+)\{([^{}]*)\}/g, (rule: string, selectors: string, body: string) => {
    if (selectors.trimStart().startsWith('@') || !gone.test(selectors)) return rule
    const kept = split(selectors).filter((selector) => !gone.test(selector))
    return kept.length === 0 ? '' : `${kept.join(',')}{${body}}`
  })
}

/** At the commas between selectors, not at those inside :not(…). */
function split(selectors: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < selectors.length; at++) {
    if (selectors[at] === '(') depth++
    if (selectors[at] === ')') depth--
    if (selectors[at] === ',' && depth === 0) {
      parts.push(selectors.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, selectors.slice(start)]
}

export const unusedBlueprint: Plugin = {
  name: 'unused-blueprint',
  enforce: 'pre',
  transform(code, id) {
    return /@blueprintjs\/core\/lib\/css\/blueprint\.css/.test(id) ? { code: purge(code), map: null } : undefined
  },
}
