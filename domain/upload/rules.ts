/** The size of a part in bytes. */
export const partBytes = 1024 * 1024
/** A file of more bytes arrives in parts; a smaller one is uploaded with its call. */
export const wholeBytes = 2 * partBytes
/** The field of an upload that names its files that arrived in parts, as JSON; it comes after the other fields. */
export const arrivedFilesField = 'arrivedFiles'
