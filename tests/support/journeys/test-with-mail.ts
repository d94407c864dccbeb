import { expect } from 'playwright/test'
import { copyDemoData } from '#support/product/demo-data.ts'
import { startProduct } from '#support/product/start-product.ts'
import { smtpSink } from '#support/server/smtp-sink.ts'
import { test as base } from './journey-test.ts'

export type MailSink = Awaited<ReturnType<typeof smtpSink>>

/** A test whose product sends mails to `mailSink`, with these settings. Each file calls it, and has its own worker and product. */
export const testWithMail = (settings: Record<string, string> = {}) =>
  base.extend<object, { mailSink: MailSink }>({
    mailSink: [
      async ({}, use) => {
        const mailSink = await smtpSink()
        await use(mailSink)
        await mailSink.close()
      },
      { scope: 'worker' },
    ],
    productOf: [
      async ({ mailSink }, use) => {
        const { dataDir, remove } = await copyDemoData()
        const from = 'Fieldproof <hello@fieldproof.test>'
        const env = { MAIL: 'smtp', SMTP_URL: mailSink.url, MAIL_FROM: from, ...settings }
        const product = await startProduct({ dataDir, env })
        await use(async () => product)
        await product.stop()
        await remove()
        expect(product.errors()).toEqual([])
      },
      { scope: 'worker' },
    ],
  })
