import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CartLine } from '#client/customer/cart/cart-line.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { WithdrawnContent } from '#domain/cart/cart.ts'
import type { LineContent } from '#domain/cart/mutation.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { LineView } from '#local/store/cart-view.ts'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { imageChoice, lineOf, packageItem, packageOf, textChoice } from '#tests/domain/cart/cart-fixtures.ts'

const print = packageOf()
const download = packageOf({ items: [packageItem({ productCode: 'SingleDigDown' })] })
const imageContent = { imageNodes: [imageChoice(11)] }
const textContent = { textNodes: [textChoice(21, 'Ada')] }

const renderLine = (
  linePackage: typeof print,
  content: Partial<LineContent>,
  orderMethod: OrderMethod,
  withdrawn?: WithdrawnContent,
) => {
  const plainLine = lineOf(linePackage, content)
  const line = { ...plainLine, snapshot: { ...plainLine.snapshot, withdrawn } }
  const view: LineView = { line, number: 1, totalCents: 2500 }
  render(
    <JobContext value={springJobContext({ orderMethod })}>
      <CartLine
        route={{ studioSlug: 'riverside', jobId: 1 }}
        cartKey={{ jobId: 1, orderMethod }}
        view={view}
        offeredPackages={undefined}
        addOns={[]}
        subjectNumber={7}
        knownSubjectIds={[]}
        hasPendingPayment={false}
      />
    </JobContext>,
  )
}

// The print font never loads.
beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => {})))
afterEach(() => void vi.unstubAllGlobals())

test.each<[string, typeof print, Partial<LineContent>, OrderMethod, boolean]>([
  ['with image and text', print, { ...imageContent, ...textContent }, 'gallery', false],
  ['without its image', print, textContent, 'gallery', true],
  ['without its text', print, imageContent, 'gallery', true],
  ['without its image, before picture day', print, textContent, 'prepay', false],
  ['without its text, before picture day', print, {}, 'prepay', true],
  ['with a download lacking its text', download, imageContent, 'gallery', false],
])(
  'a line %s reports whether something is missing (section 4, package completeness)',
  (_, linePackage, content, method, isMissing) => {
    renderLine(linePackage, content, method)
    expect(document.body.textContent?.includes('Something is missing')).toBe(isMissing)
  },
)

test.each<[string, WithdrawnContent]>([
  ['a withdrawn image', { person: null, imageIds: [501] }],
  ['a hidden subject', { person: 'hidden', imageIds: [] }],
])('a line with %s shows that the studio withdrew the image, not that something is missing', (_, withdrawn) => {
  renderLine(print, imageContent, 'gallery', withdrawn)
  expect(document.body.textContent).toContain('The studio withdrew this photo')
  expect(document.body.textContent).not.toContain('Something is missing')
})
