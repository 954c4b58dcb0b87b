/** The application label of the specification (A-VER-01). */
export const label = '17.8.3'
