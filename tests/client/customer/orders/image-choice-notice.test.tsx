import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { ImageChoiceNotice } from '#client/customer/orders/image-choice-notice.tsx'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { render } from '#support/rendering/render.tsx'
import { lineOf, packageItem, packageOf } from '../../../domain/cart/cart-fixtures.ts'
import { image } from '../packages/package-examples.ts'

const line = lineOf(packageOf({ items: [packageItem()] }))
const poses = (state: string, needsPoses = true) => ({
  orderNumber: 'FP-00000000',
  jobName: 'Fall Picture Day',
  organizationType: 'school',
  state,
  lines: [{ id: 1, needsPoses, line, images: state === 'waiting' ? [] : [image(501)] }],
})

/** The same with another subject's package that has no images. */
const withAbsent = (needsPoses: boolean) => {
  const subject = { ...line.snapshot.subject, firstName: 'Grace' }
  const other = { ...line, lineId: 'line-2', snapshot: { ...line.snapshot, subject } }
  const one = poses('open', needsPoses)
  return { ...one, lines: [...one.lines, { id: 2, needsPoses: true, line: other, images: [] }] }
}

const absent = 'The pictures of Grace are still to come. We will write to you when they are there.'

/** A subject whose images the studio hides, alone or next to another one. */
const hidden = (from: ReturnType<typeof poses>) => ({
  ...from,
  lines: from.lines.map((one) => (one.images.length === 0 ? { ...one, withheld: true } : one)),
})
const alone = (needsPoses: boolean) => hidden(poses('waiting', needsPoses))
const notShown = (name: string) => `No pictures of ${name} can be shown here. Please ask the studio.`

afterEach(() => {
  clearQueryCache()
  vi.unstubAllGlobals()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

const words = () => document.body.textContent ?? ''

/** Renders the notice and waits for asynchronous changes, outside of `act`. */
const show = async (data: unknown): Promise<string> => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data }), { status: 200 }))
  render(<ImageChoiceNotice studioSlug="riverside" jobId={1} orderNumber="FP-00000000" />)
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(() => expect(words()).not.toBe(''))
  return words()
}

test.each([
  ['are still to come', poses('waiting'), 'We will write to you when the pictures are there.'],
  ['can be chosen', poses('open'), 'Choose the pictures'],
  ['are chosen', poses('open', false), 'Change the pictures'],
  ['can be chosen for one of two subjects', withAbsent(true), `Your order is printed once you have chosen. ${absent}`],
  ['are chosen for one of two subjects', withAbsent(false), `Your pictures are chosen ${absent}Change the pictures`],
  [
    'can be chosen for one subject and are hidden for the other',
    hidden(withAbsent(true)),
    `once you have chosen. ${notShown('Grace')}Choose`,
  ],
  [
    'are chosen for one subject and hidden for the other',
    hidden(withAbsent(false)),
    `chosen ${notShown('Grace')}Change`,
  ],
  ['are hidden', alone(true), notShown(line.snapshot.subject.firstName)],
  ['were chosen and hidden later', alone(false), 'Your pictures are chosen'],
])('an order says when its images %s', async (_, data, words) => {
  expect(await show(data)).toContain(words)
})

test.each([
  ['hidden', alone(true)],
  ['chosen and hidden later', alone(false)],
  ['hidden, next to another subject’s', hidden(withAbsent(true))],
])('no email is promised for images that are %s', async (_, data) => {
  expect(await show(data)).not.toContain('write to you')
})

test('the notice links to the image choice', async () => {
  await show(poses('open'))
  const link = document.querySelector('a')
  expect(link?.getAttribute('href')).toBe('/riverside/1/order/FP-00000000/pictures')
})
