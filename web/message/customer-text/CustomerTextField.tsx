import { areaField } from '#web/ui/fields.tsx'
import { CustomerTextArea } from './CustomerTextArea.tsx'

/** A field of a form for a text that customers are told. */
export const CustomerTextField = areaField('', CustomerTextArea)
/** An empty one is null: the column knows the difference. */
export const CustomerTextOrNullField = areaField(null, CustomerTextArea)
