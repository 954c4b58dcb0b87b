/** The zone in which days and hours are meant, until a company names its own. */
export const zone = 'America/Sao_Paulo'
