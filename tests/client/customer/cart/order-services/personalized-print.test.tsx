import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { PersonalizedPrint } from '#client/customer/cart/order-services/personalized-print.tsx'
import type { PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { placeTexts } from '#domain/printing/print-text.ts'
import { glyphTable } from '#support/printing/glyph-table.ts'
import { render } from '#support/rendering/render.tsx'
import { imageChoice, imageNode, lineOf, packageItem, packageOf, textNode } from '#tests/domain/cart/cart-fixtures.ts'

const portrait = packageItem({ id: 1, name: '8x10 Print', imageNodes: [imageNode({ id: 11 })] })
const wallet = {
  ...packageItem({ id: 2, name: 'Wallet', imageNodes: [imageNode({ id: 12 })] }),
  ...{ widthInches: 2.5, heightInches: 3.5 },
}
const images = [{ imageId: 501, width: 4, height: 5, thumbnailUrl: '/photos/501/thumb' }]
const line = lineOf(packageOf({ items: [wallet, portrait] }), { imageNodes: [imageChoice(11), imageChoice(12)] })
const lines = [{ ...line, snapshot: { ...line.snapshot, images } }]

const nowhere = { nameOnAllPrints: false, nameOnWallets: false, yearOnAllPrints: false, yearOnWallets: false }
const choiceOf = (placement: Partial<PersonalizationChoice>): PersonalizationChoice => ({
  ...{ nameToPrint: 'Ada Lovelace', yearToPrint: '2027' },
  ...nowhere,
  ...placement,
})

/** The outlines of a text, whatever its place. */
const pathOf = (text: string) =>
  placeTexts(
    packageItem({ textNodes: [textNode({ id: 1 })] }),
    { texts: new Map([[1, text]]), images: new Map() },
    glyphTable,
  )[0]?.path

beforeEach(() => vi.stubGlobal('fetch', async () => Response.json(glyphTable)))

test.each([
  ['the name on all prints', { nameOnAllPrints: true }, '8x10 Print', ['Ada Lovelace']],
  ['name and year on wallets', { nameOnWallets: true, yearOnWallets: true }, 'Wallet', ['Ada Lovelace', '2027']],
])('%s are drawn on a print of the cart', async (_, placement, printName, texts) => {
  const { box } = render(<PersonalizedPrint lines={lines} choice={choiceOf(placement)} />)
  await act(async () => undefined)
  expect(box.querySelector('figcaption')?.textContent).toBe(`About how it looks on the ${printName}`)
  const drawn = [...box.querySelectorAll('svg path[transform]')].map((path) => path.getAttribute('d'))
  expect([...new Set(drawn)]).toEqual(texts.map(pathOf))
})

test('without a print there is no example', () => {
  const digital = lineOf(packageOf({ items: [packageItem({ widthInches: null, heightInches: null })] }))
  const { box } = render(<PersonalizedPrint lines={[digital]} choice={choiceOf({ nameOnAllPrints: true })} />)
  expect(box.textContent).toBe('')
})
