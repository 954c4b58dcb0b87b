// Before the first paint, so that a dark screen never flashes white; a file of its own, so that the page's policy may forbid inline scripts.
const kept = localStorage.getItem('preferredTheme')
const dark = kept ? kept === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset.theme = dark ? 'dark' : 'light'
document.documentElement.lang = localStorage.getItem('i18nextLng') ?? 'pt-BR'
