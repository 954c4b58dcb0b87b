/** The version label of the application (A-VER-01). */
export const label = '17.8.3'
