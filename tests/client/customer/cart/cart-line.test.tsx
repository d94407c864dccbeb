import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CartLine } from '#client/customer/cart/cart-line.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { WithdrawnContent } from '#domain/cart/cart.ts'
import type { LineContent } from '#domain/cart/mutation.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { LineView } from '#local/store/cart-view.ts'
import { render } from '#support/rendering/render.tsx'
import { imageChoice, lineOf, packageItem, packageOf, textChoice } from '../../../domain/cart/cart-fixtures.ts'
import { springJobContext } from '../../job-context-examples.ts'

const print = packageOf()
const download = packageOf({ items: [packageItem({ productCode: 'SingleDigDown' })] })
const picture = { imageNodes: [imageChoice(11)] }
const text = { textNodes: [textChoice(21, 'Ada')] }

const draw = (
  of: typeof print,
  content: Partial<LineContent>,
  orderMethod: OrderMethod,
  withdrawn?: WithdrawnContent,
) => {
  const made = lineOf(of, content)
  const line = { ...made, snapshot: { ...made.snapshot, withdrawn } }
  const view: LineView = { line, number: 1, totalCents: 2500 }
  render(
    <JobContext value={springJobContext({ orderMethod })}>
      <CartLine
        route={{ studioSlug: 'riverside', jobId: 1 }}
        cartKey={{ jobId: 1, orderMethod }}
        view={view}
        offered={undefined}
        addOns={[]}
        subjectNumber={7}
        known={[]}
        paying={false}
      />
    </JobContext>,
  )
}

// The print font never loads.
beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => {})))
afterEach(() => void vi.unstubAllGlobals())

test.each<[string, typeof print, Partial<LineContent>, OrderMethod, boolean]>([
  ['with image and text', print, { ...picture, ...text }, 'gallery', false],
  ['without its image', print, text, 'gallery', true],
  ['without its text', print, picture, 'gallery', true],
  ['without its image, before picture day', print, text, 'prepay', false],
  ['without its text, before picture day', print, {}, 'prepay', true],
  ['with a download lacking its text', download, picture, 'gallery', false],
])(
  'a line %s reports whether something is missing (section 4, package completeness)',
  (_, of, content, method, missing) => {
    draw(of, content, method)
    expect(document.body.textContent?.includes('Something is still missing')).toBe(missing)
  },
)

test.each<[string, WithdrawnContent]>([
  ['a withdrawn image', { person: null, imageIds: [501] }],
  ['a hidden subject', { person: 'hidden', imageIds: [] }],
])('a line with %s says that the studio withdrew the image, not that something is missing', (_, withdrawn) => {
  draw(print, picture, 'gallery', withdrawn)
  expect(document.body.textContent).toContain('The studio took this photo away')
  expect(document.body.textContent).not.toContain('Something is still missing')
})
