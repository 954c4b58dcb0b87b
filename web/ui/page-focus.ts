/** Whether the user works in this page now. */
export const isPageFocused = (): boolean => document.visibilityState === 'visible' && document.hasFocus()
