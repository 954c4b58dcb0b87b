import { areaField } from '#web/ui/fields.tsx'
import { SaidText } from './SaidText.tsx'

/** A field of a form for a text that customers are told. */
export const SaidField = areaField('', SaidText)
/** An empty one is null: the column knows the difference. */
export const SaidOrNullField = areaField(null, SaidText)
