import 'fake-indexeddb/auto'
import { act } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { packageChange } from '#client/customer/cart/line-labels.ts'
import { PackageVersionNotice } from '#client/customer/cart/package-version-notice.tsx'
import { RejectedChanges } from '#client/customer/cart/rejected-changes.tsx'
import { readCart } from '#local/cart.ts'
import { chooseYearBookPose } from '#local/outbox/set-order-service.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { click, countElements, getButton, render, waitForPage } from '#support/rendering/render.tsx'
import { noContent, packageItem, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const portrait = packageOf({ id: 100, name: 'Portrait' })
const view = () => readCart(database, key.jobId, key.orderMethod)

beforeEach(async () => {
  await database.delete()
  await database.open()
  const owner = { subjectId: 7, personId: null }
  await addLine(database, stamp, { ...key, ...owner, snapshot: snapshotOf(portrait), quantity: 1, content: noContent })
})

const rejectAll = () =>
  database.outbox
    .toCollection()
    .modify({ state: 'rejected', rejection: { problem: 'rule', message: 'An error occurred' } })

describe('a rejected change', () => {
  test('a rejected line shows the reason, and is in the cart after a retry', async () => {
    await rejectAll()
    render(<RejectedChanges cartKey={key} view={await view()} />)
    expect(document.body.textContent).toContain('Portrait was not accepted')
    expect(document.body.textContent).toContain('An error occurred')
    click(getButton('Try again'))
    await vi.waitFor(async () => expect((await view()).rejected).toEqual([]))
    expect((await view()).lines).toHaveLength(1)
  })

  test('a line rejected because of its background can be sent without it', async () => {
    await database.outbox.clear()
    const [owner, content] = [
      { subjectId: 7, personId: null },
      { ...noContent, greenScreenBackgroundId: 9 },
    ]
    await addLine(database, stamp, { ...key, ...owner, snapshot: snapshotOf(portrait), quantity: 1, content })
    const rejection = { problem: 'background-gone', message: 'Please choose another one' }
    await database.outbox.toCollection().modify({ state: 'rejected', rejection })
    render(<RejectedChanges cartKey={key} view={await view()} />)
    expect(document.body.textContent).toContain('Its background is no longer available')
    expect(document.body.textContent).not.toContain('Try again')
    click(getButton('Continue without it'))
    await vi.waitFor(async () => expect((await view()).rejected).toEqual([]))
    expect((await view()).lines).toMatchObject([{ line: { greenScreen: null } }])
  })

  test('a rejected change that only a newer build knows is shown, and can be reverted', async () => {
    await rejectAll()
    const recorded = { mutation: { do: 'line.split', lineId: 'a line' }, snapshot: null }
    await database.outbox.toCollection().modify({ recorded: recorded as never }) // no current build writes this
    render(<RejectedChanges cartKey={key} view={await view()} />)
    expect(document.body.textContent).toMatch(/was not accepted/)
    expect(getButton('Keep it as it was')).toBeDefined()
  })

  test('a rejected line is removed on request', async () => {
    await rejectAll()
    render(<RejectedChanges cartKey={key} view={await view()} />)
    click(getButton('Remove it'))
    await vi.waitFor(async () => expect(await database.outbox.count()).toBe(0))
    expect((await view()).lines).toEqual([])
  })
})

describe('other notices of a cart', () => {
  test.each([
    ['subject in the cart', 7, 'Ada'],
    ['subject not in the cart', 8, 'Grace'],
  ])('a rejected yearbook pose names its subject: %s', async (_, subjectId, name) => {
    await database.outbox.clear()
    const owner = { subjectId: 7, personId: null }
    await addLine(database, stamp, {
      ...key,
      ...owner,
      snapshot: snapshotOf(portrait),
      quantity: 1,
      content: noContent,
    })
    await chooseYearBookPose(database, stamp, { ...key, subjectId, imageId: 502 })
    const last = await database.outbox.orderBy('seq').last()
    await database.outbox.update(last?.seq ?? 0, {
      state: 'rejected',
      rejection: { problem: 'rule', message: 'Too late' },
    })
    const otherFields = {
      jobId: 1,
      groupName: null,
      fields: [],
      imageThumbnailUrl: null,
      imageCount: 2,
      grantId: 'g',
      yearBookImageId: null,
    }
    const data = { id: 8, firstName: 'Grace', lastName: 'Hopper', ...otherFields }
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data }), { status: 200 }))
    render(<RejectedChanges cartKey={key} view={await view()} />)
    await waitForPage(() =>
      expect(document.body.textContent).toContain(`The yearbook photo for ${name} was not accepted`),
    )
    vi.unstubAllGlobals()
  })

  test('a cart whose sending is paused shows the reason, and resumes after a tap', async () => {
    const paused = { problem: 'code-needed', message: 'Enter the code again' }
    await database.sending.put({
      ...key,
      attempts: 0,
      nextAt: 9e15,
      waitsSince: 0,
      inFlight: false,
      batchLimit: 0,
      paused,
    })
    render(<RejectedChanges cartKey={key} view={await view()} />)
    expect(document.body.textContent).toContain('Enter the code again')
    click(getButton('Try again'))
    await vi.waitFor(async () => expect((await view()).paused).toBeNull())
  })
})

describe('a package that the studio changed', () => {
  test('a package that is no longer offered can only be removed', async () => {
    const [lineView] = (await view()).lines
    const change = lineView && packageChange(lineView.line, [])
    if (!lineView || !change) throw new Error('the line or its change is missing')
    render(<PackageVersionNotice cartKey={key} line={lineView.line} change={change} />)
    expect(document.body.textContent).toContain('Portrait is no longer offered')
    expect(countElements('button')).toBe(1)
    click(getButton('Remove'))
    await vi.waitFor(async () => expect((await view()).lines).toEqual([]))
  })

  test('a changed price is shown with the old one, and applies only when accepted', async () => {
    const raisedPortrait = { ...portrait, version: 2, retailCost: 27.5 }
    const line = (await view()).lines[0]?.line
    const change = line && packageChange(line, [raisedPortrait])
    if (!line || !change) throw new Error('the line or its change is missing')
    render(<PackageVersionNotice cartKey={key} line={line} change={change} />)
    expect(document.body.textContent).toContain('Was $25.00, now $27.50 each')
    expect((await view()).totalCents).toBe(2500)
    await act(async () => {
      click(getButton('Accept $27.50'))
      await vi.waitFor(async () => expect((await view()).totalCents).toBe(2750))
    })
  })

  test('a changed package lists its removed, reduced, added and changed items, and the old and the new price', async () => {
    const item = (id: number, name: string) => packageItem({ id, name })
    const line = (await view()).lines[0]?.line
    if (!line) throw new Error('the line is missing')
    const items = [item(1, 'Portrait'), item(2, '5x7'), item(3, '5x7'), item(4, 'Billfolds')]
    const oldLine = { ...line, snapshot: { ...line.snapshot, package: { ...portrait, items } } }
    const newItems = [{ ...items[0], widthInches: 11 }, item(2, '5x7'), item(5, 'Mug')] as typeof items
    const change = packageChange(oldLine, [{ ...portrait, version: 2, retailCost: 59, items: newItems }])
    if (!change) throw new Error('the change is missing')
    render(<PackageVersionNotice cartKey={key} line={oldLine} change={change} />)
    const changes = [...document.querySelectorAll('li')].map((item) => item.textContent)
    expect(changes).toEqual([
      expect.stringMatching(/^Portrait: was 8×10 in, .*now 11×10 in/),
      '5×7: was 2, now 1',
      'Billfolds: was 1, now removed',
      'Mug: added, 1',
    ])
    expect(document.body.textContent).toContain('Was $25.00, now $59.00 each')
  })

  test.each([
    ['name', { name: 'Classic' }, 'The studio renamed this package', 'Was “Portrait”, now “Classic”. Same price.'],
    ['shown name', { altName: 'Classic' }, 'The studio renamed this package', 'now “Classic”. Same price.'],
    ['description', { altDescription: 'New' }, 'The studio changed the description of this package', 'Same price.'],
    [
      'price and name',
      { name: 'Classic', retailCost: 30 },
      'The studio changed this price',
      'now “Classic”. Was $25.00',
    ],
    ['rules', {}, 'The studio changed this package', 'Same price.'],
  ])('a package whose %s changed reports only that', async (_, overrides, title, message) => {
    const line = (await view()).lines[0]?.line
    const change = line && packageChange(line, [{ ...portrait, version: 2, ...overrides }])
    if (!line || !change) throw new Error('the line or its change is missing')
    render(<PackageVersionNotice cartKey={key} line={line} change={change} />)
    expect(document.body.textContent).toContain(title)
    expect(document.body.textContent).toContain(message)
  })
})
