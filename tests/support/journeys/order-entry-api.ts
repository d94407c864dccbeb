import type { APIRequestContext } from 'playwright/test'
import type { EntryDraft } from '#contract/studio/order-entry.ts'
import { staffApi } from './staff-api.ts'

const address = {
  ...{ firstName: 'Grace', lastName: 'Lovelace', address1: '1 Mill Street', address2: '' },
  ...{ city: 'Dayton', state: 'OH', zip: '45402' },
}

/** Enters orders at the demo's studio, with the calls of the order entry screen. */
export const orderEntryApi = async (request: APIRequestContext, jobId: number) => {
  const call = await staffApi(request, jobId)

  /** Allows shipping to the studio, in batches. */
  const shipInBatches = async () => {
    const { version } = await call('GET', 'settings')
    await call('PATCH', 'settings/preorder', { version, shipsBatch: true })
  }

  /** Enters an order of one package with Ada's first image, paid in cash. Returns its number. */
  const order = async (shippingOption: EntryDraft['shippingOption']): Promise<string> => {
    const { packages } = await call('GET', 'entry')
    const [ada] = await call('GET', 'entry/subjects').then((subjects) =>
      subjects.filter(({ code }: { code: string | null }) => code === 'ADALVL'),
    )
    const galleryPackage = packages.find(({ gallery }: { gallery: boolean }) => gallery).package
    const line = {
      subjectId: ada.subjectId,
      packageId: galleryPackage.id,
      quantity: 1,
      imageId: ada.images[0].imageId,
      texts: [],
    }
    const draft: EntryDraft = {
      ...{ orderMethod: 'gallery', lines: [line], services: [], address, shippingOption, promoCode: '' },
      customer: { firstName: 'Grace', lastName: 'Lovelace', email: '', phone: '937-555-0142' },
    }
    const { totals } = await call('POST', 'entry/totals', draft)
    const payment = { method: 'cash', receivedCents: totals.totalCents, checkNumber: '' }
    const entryKey = crypto.randomUUID()
    const sale = { entryKey, draft, totalCents: totals.totalCents, payment }
    return (await call('POST', 'entry/orders', sale)).orderNumber
  }
  return { shipInBatches, order }
}
