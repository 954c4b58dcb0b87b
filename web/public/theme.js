// Runs before the first paint, so that a dark theme never flashes white. It is a separate file, because the page's
// policy forbids inline scripts.
const kept = localStorage.getItem('preferredTheme')
const dark = kept ? kept === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset.theme = dark ? 'dark' : 'light'
document.documentElement.lang = localStorage.getItem('i18nextLng') ?? 'pt-BR'
