/** The accounts that can sign in with DEMO=1. */
export const demoPassword = 'demo-1234'
type Account = {
  email: string
  name: string
  role: string
  password: string
  profile: 'admin' | 'user'
  super?: true
  audit?: true
  queues: string[]
  color: string
}
const account = (
  email: string,
  name: string,
  role: string,
  profile: 'admin' | 'user',
  queues: string[],
  color: string,
  more: object = {},
): Account => ({
  ...{ email, name, role, profile, queues, color, password: demoPassword },
  ...more,
})
export const demoAccounts: Account[] = [
  account('admin@demo.test', 'Helena Prado', 'admin', 'admin', [], '#7c3aed'),
  account('ana@demo.test', 'Ana Souza', 'agent', 'user', ['Vendas', 'Suporte'], '#0f766e'),
  account('bruno@demo.test', 'Bruno Lima', 'agent', 'user', ['Suporte', 'Financeiro'], '#b45309'),
  account('carla@demo.test', 'Carla Mendes', 'agent', 'user', ['Vendas'], '#be185d'),
  account('auditor@demo.test', 'Otávio Reis', 'auditor', 'user', [], '#475569', { audit: true }),
  account('super@demo.test', 'Sofia Duarte', 'super', 'admin', [], '#1d4ed8', { super: true }),
]
export const otherAdmin = account('admin@other.test', 'Igor Alves', 'admin', 'admin', [], '#166534')
