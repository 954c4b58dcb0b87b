import { HTMLSelect as BlueprintSelect } from '@blueprintjs/core'
import type { ComponentProps } from 'react'

/** The select of Blueprint without the English title of its icon. */
export const HTMLSelect = (of: ComponentProps<typeof BlueprintSelect>) => <BlueprintSelect {...of} iconProps={noTitle} />
const noTitle = { title: null }
