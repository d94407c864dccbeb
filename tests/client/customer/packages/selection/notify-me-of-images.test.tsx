import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PackageSubject } from '#client/customer/packages/package-subject.ts'
import { PoseStrip } from '#client/customer/packages/selection/pose-strip.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'
import { ada, groupImage, portrait } from '../package-examples.ts'

const offer = 'Tell me when they are online'
const sent: { url: string; body: unknown }[] = []
let status = 200

const show = (images: readonly Image[], person: PackageSubject = ada) =>
  render(
    <JobContext value={springJobContext()}>
      <PoseStrip
        {...{ person, images }}
        chosen={null}
        shown={images[0] ?? null}
        yearBook={null}
        onChoose={() => undefined}
      />
    </JobContext>,
  )

const buttons = () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent)

beforeEach(() => {
  sent.length = 0
  status = 200
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    sent.push({ url: String(url), body: JSON.parse(String(body)) })
    return new Response(JSON.stringify(status === 200 ? { data: {} } : { errors: ['An error occurred'] }), { status })
  })
})
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['no image', []],
  ['group images only', [groupImage]],
])('a customer who sees %s of their child can leave an address for one email', async (_, images) => {
  show(images)
  click(getButton(offer))
  await waitForPage(() => expect(document.activeElement).toBe(getElement('input[name=email]')))
  type(getElement<HTMLInputElement>('input[name=email]'), 'anne@example.com')
  click(getButton(offer))
  await waitForPage(() =>
    expect(document.body.textContent).toContain('We will write to anne@example.com when they are online'),
  )
  expect(sent).toEqual([{ url: '/api/customer/jobs/1/subjects/7/notify-me', body: { email: 'anne@example.com' } }])
})

test('an invalid address is reported, and one that could not be sent stays', async () => {
  show([groupImage])
  click(getButton(offer))
  await waitForPage(() => getElement('input[name=email]'))
  click(getButton(offer))
  await waitForPage(() => expect(document.body.textContent).toContain('This field is required'))
  expect(sent).toEqual([])
  status = 404
  type(getElement<HTMLInputElement>('input[name=email]'), 'anne@example.com')
  click(getButton(offer))
  await waitForPage(() => expect(sent).toHaveLength(1))
  await waitForPage(() => expect(getElement<HTMLInputElement>('input[name=email]').value).toBe('anne@example.com'))
})

test.each([
  ['a subject with own images', [portrait, groupImage], ada],
  ['a typed-in subject without possible images', [], { ...ada, subjectId: null, personId: 'p' }],
])('%s offers no notification', (_, images, person) => {
  show(images, person)
  expect(buttons()).not.toContain(offer)
})
