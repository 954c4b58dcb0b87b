import { Button } from '@blueprintjs/core'
import { Component, type ReactNode } from 'react'
import { translate } from '#web/i18n.ts'
import { Empty } from '#web/ui/states.tsx'
import { shellWords } from './words.ts'

/** React catches render errors only in a class component. */
export class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError() {
    return { broken: true }
  }
  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <Empty
        title={translate(shellWords, 'broken')}
        action={<Button intent="primary" text={translate(shellWords, 'reload')} onClick={() => location.reload()} />}
      >
        {translate(shellWords, 'brokenWhy')}
      </Empty>
    )
  }
}
