import { areaField } from '#web/ui/fields.tsx'
import { CustomerTextArea } from './CustomerTextArea.tsx'

/** A form field for a customer text. */
export const CustomerTextField = areaField('', CustomerTextArea)
/** An empty text is stored as null. */
export const CustomerTextOrNullField = areaField(null, CustomerTextArea)
