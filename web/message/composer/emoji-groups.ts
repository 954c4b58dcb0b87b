/** Turkish names of the emoji groups, by the English names of the emoji data, which has no Turkish. */
const turkish: Readonly<Record<string, string>> = {
  'smileys & emotion': 'İfadeler ve duygular',
  'people & body': 'İnsanlar ve beden',
  components: 'Bileşenler',
  'animals & nature': 'Hayvanlar ve doğa',
  'food & drink': 'Yiyecek ve içecek',
  'travel & places': 'Seyahat ve yerler',
  activities: 'Etkinlikler',
  objects: 'Nesneler',
  symbols: 'Semboller',
  flags: 'Bayraklar',
}
export const emojiGroup = (label: string, language: string): string => (language === 'tr' ? (turkish[label.toLowerCase()] ?? label) : label)
