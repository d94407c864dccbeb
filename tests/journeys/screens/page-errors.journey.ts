import { allowPageErrors, expect, test } from '#support/journeys/journey-test.ts'

test('Violations of the content security policy are collected as page errors, which fail a journey', async ({
  page,
  pageErrors,
}) => {
  await page.goto('/')
  await page.evaluate(() => {
    const style = document.createElement('style')
    style.textContent = 'body { color: red }'
    document.head.append(style)
  })
  await expect.poll(() => pageErrors.join()).toMatch(/Content Security Policy/)
  allowPageErrors(pageErrors, /Content Security Policy/)
})
