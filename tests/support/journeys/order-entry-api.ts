import type { APIRequestContext } from 'playwright/test'
import type { EntryDraft } from '#contract/studio/order-entry.ts'
import { staffApi } from './staff-api.ts'

const address = {
  ...{ firstName: 'Grace', lastName: 'Lovelace', address1: '1 Mill Street', address2: '' },
  ...{ city: 'Dayton', state: 'OH', zip: '45402' },
}

/** Order entry at the demo's studio, where orders arrive on paper: sends the calls of the form. */
export const orderEntryApi = async (request: APIRequestContext, jobId: number) => {
  const tell = await staffApi(request, jobId)

  /** Lets orders ship to the studio, too. */
  const shipInBatches = async () => {
    const { version } = await tell('GET', 'settings')
    await tell('PATCH', 'settings/preorder', { version, shipsBatch: true })
  }

  /** Enters an order of one package with Ada's first image, paid in cash. Returns its number. */
  const order = async (shippingOption: EntryDraft['shippingOption']): Promise<string> => {
    const { packages } = await tell('GET', 'entry')
    const [ada] = await tell('GET', 'entry/subjects').then((people) =>
      people.filter(({ code }: { code: string | null }) => code === 'ADALVL'),
    )
    const offered = packages.find(({ gallery }: { gallery: boolean }) => gallery).package
    const line = {
      subjectId: ada.subjectId,
      packageId: offered.id,
      quantity: 1,
      imageId: ada.pictures[0].imageId,
      texts: [],
    }
    const draft: EntryDraft = {
      ...{ orderMethod: 'gallery', lines: [line], services: [], address, shippingOption, promoCode: '' },
      customer: { firstName: 'Grace', lastName: 'Lovelace', email: '', phone: '937-555-0142' },
    }
    const { totals } = await tell('POST', 'entry/totals', draft)
    const payment = { method: 'cash', receivedCents: totals.totalCents, checkNumber: '' }
    const entryKey = crypto.randomUUID()
    const sale = { entryKey, draft, totalCents: totals.totalCents, payment }
    return (await tell('POST', 'entry/orders', sale)).orderNumber
  }
  return { shipInBatches, order }
}
