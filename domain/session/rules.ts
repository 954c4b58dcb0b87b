/** A-AUTH-10; admins need more, see `shortestPassword` in domain/user/rules.ts. */
export const passwordLength = { min: 5, max: 50 } as const
export const resetLength = { min: 6, max: 50 } as const

/** Passwords that attackers try first. */
const common = new Set(
  '12345 123456 1234567 12345678 123456789 1234567890 54321 654321 password password1 senha senha1 senha123 qwerty qwerty123 abc123 abc12345 admin admin123 mudar123 brasil 123mudar 1q2w3e4r iloveyou'.split(
    ' ',
  ),
)
/** Whether a password is weak: blank, one repeated character, or a common password. */
export const isWeak = (password: string): boolean =>
  password.trim() === '' || /^(.)\1*$/su.test(password) || common.has(password.trim().toLowerCase())
