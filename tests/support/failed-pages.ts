/* Prints what each person saw when a browser test failed, because many failures need the load of a whole run. */
import { afterEach } from 'vitest'
import { openBrowser } from './browser.ts'

const most = 5000
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  const pages = (await openBrowser()).contexts().flatMap((context) => context.pages())
  for (const page of pages) {
    const seen = await page
      .locator('body')
      .ariaSnapshot({ timeout: 5000 })
      .catch((error: Error) => error.message)
    console.log(`At the failure of "${task.name}":\n${page.url()}\n${seen.slice(-most)}`)
  }
})
