import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '#projections/postgres.ts'
import { signInAs } from '#tests/support/browser.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('an unpaid company’s users see it at sign-in, and get in once it paid (A-AUTH-06)', async () => {
  const { db } = openStore(on.on.databaseUrl, 1)
  try {
    const due = (dueDate: string | null) => db.updateTable('company').set({ dueDate }).where('name', '=', 'Outra Empresa').execute()
    expect((await on.ask('PUT', '/settings/supportUrl', { value: 'https://wa.me/5511900000008' })).status).toBe(200)
    await due('2026-01-31')
    for (const [width, theme] of [
      [390, 'light'],
      [1440, 'dark'],
    ] as const) {
      const igor = await on.enter('admin@other.test', { width, theme })
      const { page } = igor
      const refused: string[] = []
      page.on('response', (response) => response.status() === 402 && refused.push(new URL(response.url()).pathname))
      await page.reload()
      const told = page.getByRole('heading', { name: /31\/01\/2026|31 de jan/ })
      await told.waitFor()
      await igor.shot(`expired-${width}`)
      const support = page.getByRole('main').getByRole('button', { name: 'Chamar suporte' })
      expect(await support.getAttribute('href')).toBe('https://wa.me/5511900000008') // A-SUPPORT-01
      expect(await page.getByRole('link', { name: /Atendimentos|Contatos|Tags|Filas/ }).count()).toBe(0)
      expect(refused).toEqual([])
      expect(await page.getByText('Ativo até').count()).toBe(0) // it is not active
      const { width: wide } = await page.evaluate(() => ({ width: document.documentElement.scrollWidth }))
      expect(wide).toBeLessThanOrEqual(width)
      await page.getByRole('main').getByRole('button', { name: 'Sair' }).click()
      await page.waitForURL(/\/login/)
      expect(igor.wrong).toEqual([])
    }
    const late = await on.on.come()
    await signInAs(late, 'admin@other.test')
    await late.page.locator('[data-part=toast][data-intent=danger]').getByText('A assinatura venceu em 31/01/2026').waitFor() // R-AUTH-02
    await late.leave()
    await due('2099-01-31')
    const igor = await on.enter('admin@other.test')
    await igor.page.getByRole('button', { name: 'Novo atendimento' }).waitFor()
  } finally {
    await db.destroy()
  }
})

it('an expiry during work is shown at once, and typed text returns after payment (A-AUTH-06)', async () => {
  const { db } = openStore(on.on.databaseUrl, 1)
  try {
    const due = (dueDate: string | null) => db.updateTable('company').set({ dueDate }).where('name', '=', 'Outra Empresa').execute()
    await due('2099-01-31')
    const igor = await on.enter('admin@other.test', { at: '/tags' })
    const { page } = igor
    await page
      .getByRole('button', { name: /Adicionar|Nova/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nome').fill('Cliente antigo')
    await due('2026-01-31')
    const save = dialog.getByRole('button', { name: /Salvar|Adicionar/ })
    await save.click({ timeout: 3000 }).catch(() => undefined) // the notice may come before there was time to click
    const told = page.getByRole('heading', { name: /31\/01\/2026|31 de jan/ })
    await told.waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await igor.shot('expired-meanwhile')
    expect(await page.getByRole('link', { name: /Atendimentos|Contatos|Tags|Filas/ }).count()).toBe(0)
    await page.getByRole('main').getByRole('button', { name: 'Sair' }).waitFor()
    expect(
      await page.evaluate(
        () => [...document.querySelectorAll('.bp6-dialog, [data-part=toast]')].filter((one) => one.checkVisibility()).length,
      ),
    ).toBe(0)

    await due('2099-01-31')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await told.waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Nome').inputValue()).toBe('Cliente antigo')
    await dialog.getByRole('button', { name: /Salvar|Adicionar/ }).click()
    await page.getByRole('row').filter({ hasText: 'Cliente antigo' }).waitFor()
    expect(igor.wrong).toEqual([])
  } finally {
    await db.destroy()
  }
})
