import 'fake-indexeddb/auto'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { imageChoiceDraftKey } from '#client/customer/packages/image-choice/image-choice-draft.ts'
import { ImageChoiceScreen } from '#client/customer/packages/image-choice/image-choice-screen.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import { readDraft } from '#local/store/device-entries.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { glyphTable } from '#support/printing/glyph-table.ts'
import { cleanUp, click, countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { imageChoice, lineOf, packageItem, packageOf, textChoice } from '#tests/domain/cart/cart-fixtures.ts'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'
import { ToastHost } from '#ui/toast/toast-host.tsx'
import { image } from '../package-examples.ts'

const orderNumber = 'FP-00000000'
const route = { studioSlug: 'riverside', jobId: 1, orderNumber }
const key = imageChoiceDraftKey(1, orderNumber)

const print = packageOf({ items: [packageItem()] })
const lineFor = (id: number, firstName: string, subjectId: number, images: readonly object[], linePackage = print) => {
  const line = lineOf(linePackage, { textNodes: [textChoice(21, firstName)] })
  const snapshot = { ...line.snapshot, images: [], subject: { ...line.snapshot.subject, firstName } }
  return { id, needsImages: true, line: { ...line, lineId: `line-${id}`, subjectId, snapshot }, images }
}

const cutOuts = [image(501, { hasAlpha: true }), image(502, { hasAlpha: true })]
const openOrder = {
  orderNumber,
  jobName: 'Fall Picture Day',
  organizationType: 'school',
  state: 'open',
  // The same package for two subjects: choosing for one must not change the other.
  lines: [lineFor(31, 'Juno', 7, cutOuts), lineFor(32, 'Pip', 8, [image(601, { hasAlpha: true }), image(602)])],
}
const backgrounds = [
  { id: 9, imageId: 901, name: 'Field', width: 3000, height: 2400, thumbnailUrl: '/photos/g/901/t', previewUrl: '/p' },
]

/** The updates the server received, by line. */
let updates: { line: string; body: unknown }[] = []
let offeredBackgrounds: unknown[] = backgrounds
let orderResponse = openOrder
let online = true
/** Whether another device has changed the order first. */
let hasConflict = false
/** How often the order was loaded. */
let loadCount = 0

const response = (data: unknown) => Response.json({ data })

const server = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const request = new Request(new URL(input instanceof Request ? input.url : input, location.href), init)
  const method = input instanceof Request ? input.method : request.method
  const { pathname } = new URL(request.url)
  if (!online) throw new TypeError('Failed to fetch')
  if (pathname.endsWith('/greenscreens')) return response(offeredBackgrounds)
  if (method === 'PATCH') {
    const text = await (input instanceof Request ? input.clone() : request).text()
    if (hasConflict) return Response.json({ errors: ['Somebody changed this'], problem: 'conflict' }, { status: 409 })
    updates.push({ line: /lines\/(\d+)/.exec(pathname)?.[1] ?? '', body: JSON.parse(text) })
    return response({ needsImages: false, awaitsImages: false })
  }
  if (pathname.endsWith('/poses')) loadCount += 1
  return pathname.startsWith('/api/') ? response(orderResponse) : Response.json(glyphTable)
}

const pageText = () => document.body.textContent ?? ''

/** Waits for asynchronous responses of device and server. */
const eventually = async (check: () => void | Promise<void>) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  // The first screen loads the background choice on demand, which is slow on a busy machine.
  await vi
    .waitFor(check, { timeout: 10_000 })
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}

const openScreen = async (until = 'No background') => {
  const slot = document.body.appendChild(document.createElement('div'))
  render(
    <BottomBarSlot value={slot}>
      <ImageChoiceScreen {...route} />
      <ToastHost />
    </BottomBarSlot>,
  )
  await eventually(() => expect(pageText()).toContain(until))
}

const leaveScreen = () => {
  cleanUp()
  document.body.replaceChildren()
  clearQueryCache()
}

/** An option on the screen, by subject and accessible name. */
const option = (person: 'Juno' | 'Pip', label: string): HTMLInputElement => {
  const section = document.querySelector(`section[aria-label="Package A for ${person}"]`)
  const input = [...(section?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [])].find(
    (candidate) => candidate.getAttribute('aria-label') === label || candidate.closest('label')?.textContent === label,
  )
  if (!input) throw new Error(`no option of ${person} is called ${label}`)
  return input
}

const chooseImage = async () => {
  await eventually(() => expect(option('Juno', 'Field').checked).toBe(false))
  click(option('Juno', 'Photo 2'))
  click(option('Juno', 'Field'))
  await eventually(() => expect(pageText()).toContain('Saved on this phone'))
  await eventually(async () => expect(JSON.stringify(await readDraft(database, key))).toContain('"greenScreenId":9'))
}

const expectChoiceRestored = async () => {
  await eventually(() => expect(option('Juno', 'Photo 2').checked).toBe(true))
  expect(option('Pip', 'Photo 1').checked).toBe(true)
}

beforeAll(async () => {
  // The screen's only lazy chunk and the print font, loaded once for all tests.
  vi.stubGlobal('fetch', server)
  await openScreen()
  leaveScreen()
}, 30_000)

beforeEach(async () => {
  updates = []
  offeredBackgrounds = backgrounds
  orderResponse = openOrder
  online = true
  hasConflict = false
  loadCount = 0
  vi.stubGlobal('fetch', server)
  history.replaceState(null, '', `/riverside/1/order/${orderNumber}/images`)
  await database.delete()
  await database.open()
})

afterEach(() => {
  leaveScreen()
  vi.unstubAllGlobals()
})

describe('choosing the images of an order', () => {
  test('puts cut-outs on the job’s backgrounds, per package, and submits them', async () => {
    await openScreen()
    await chooseImage()
    expect(option('Pip', 'No background').checked).toBe(true)
    click(getButton('Save photos'))
    await eventually(() => expect(location.pathname).toBe(`/riverside/1/order/${orderNumber}`))
    leaveScreen()
    expect(updates).toMatchObject([
      { line: '31', body: { greenScreenBackgroundId: 9, imageNodes: [{ subjectImageId: 502 }] } },
      { line: '32', body: { greenScreenBackgroundId: null, imageNodes: [{ subjectImageId: 601 }] } },
    ])
    expect(await readDraft(database, key)).toBeUndefined()
  })

  test('logs an unknown aspect once for the whole choice', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const square = packageOf({ items: [packageItem({ name: 'Square', widthInches: 8, heightInches: 8 })] })
    orderResponse = { ...openOrder, lines: [lineFor(31, 'Juno', 7, cutOuts, square)] }
    await openScreen('Package A for Juno')
    click(option('Juno', 'Photo 2'))
    await eventually(() => expect(pageText()).toContain('Saved on this phone'))
    await eventually(() =>
      expect(warn.mock.calls).toEqual([['Square, Image1: unknown aspect ratio 1.0000, 8/10 is used']]),
    )
    warn.mockRestore()
  })

  test('promises no email if there are no images, because there may never be any', async () => {
    orderResponse = { ...openOrder, state: 'waiting', lines: [lineFor(31, 'Juno', 7, [])] }
    await openScreen('No photos to choose from')
    expect(pageText()).not.toContain('email you')
  })

  test('offers no background if the job has none', async () => {
    offeredBackgrounds = []
    await openScreen('Package A for Pip')
    await eventually(() => expect(option('Juno', 'Photo 1').checked).toBe(true))
    expect(pageText()).not.toContain('Background')
  })

  test('shows a chosen background that the job no longer has, to be replaced', async () => {
    offeredBackgrounds = []
    const [juno, pip] = openOrder.lines
    if (!juno || !pip) throw new Error('the order does not have two lines')
    orderResponse = { ...openOrder, lines: [{ ...juno, line: { ...juno.line, greenScreen: { id: 9 } } }, pip] }
    await openScreen()
    expect(pageText()).toContain('The background you chose is no longer offered.')
    click(option('Juno', 'No background'))
    await eventually(() => expect(pageText()).toContain('No background: prints on white.'))
    expect(document.querySelectorAll('[aria-label="Package A for Pip"] input[name^=background]')).toHaveLength(0)
  })

  test('is stored as it is chosen, through reloads and offline, until it is submitted', async () => {
    await openScreen()
    await chooseImage()
    leaveScreen()
    online = false
    await openScreen('Package A for Pip')
    await expectChoiceRestored()
    click(getButton('Save photos'))
    await eventually(() => expect(pageText()).toContain('What you chose is saved on this phone.'))
    expect(updates).toEqual([])
    leaveScreen()
    online = true
    await openScreen()
    await expectChoiceRestored()
    await eventually(() => expect(option('Juno', 'Field').checked).toBe(true))
    click(getButton('Save photos'))
    await eventually(() => expect(updates).toHaveLength(2))
    expect(updates[0]).toMatchObject({ body: { greenScreenBackgroundId: 9, imageNodes: [{ subjectImageId: 502 }] } })
  })

  test('needs a connection if there is no draft', async () => {
    online = false
    render(<ImageChoiceScreen {...route} />)
    await eventually(() => expect(pageText()).toContain('Your order is safe'))
  })
})

describe('correcting an order', () => {
  const cropDimensions = { width: 80, height: 80, cropX: 10, cropY: 10, xMid: 50, yMid: 50 }
  const ordered = (version: number, text = 'Juno', crop: typeof cropDimensions | null = null) => {
    const line = lineOf(print, {
      textNodes: [textChoice(21, text)],
      imageNodes: [{ ...imageChoice(11, 601), cropDimensions: crop }],
    })
    const snapshot = { ...line.snapshot, images: [], subject: { ...line.snapshot.subject, firstName: 'Juno' } }
    const images = [image(601), image(602)]
    return { id: 31, version, needsImages: false, line: { ...line, lineId: 'line-31', subjectId: 7, snapshot }, images }
  }
  const openOrderedLine = async () => {
    await openScreen('Change texts and photos')
    await eventually(() => expect(field().value).not.toBe(''))
  }
  const field = () => {
    const input = document.querySelector<HTMLInputElement>('input[id^=text-]')
    if (!input) throw new Error('there is no text field')
    return input
  }

  beforeEach(() => {
    orderResponse = { ...openOrder, lines: [ordered(3)] }
  })

  test('sends only a changed text, with the version it was based on', async () => {
    await openOrderedLine()
    type(field(), 'Juno M.')
    await eventually(() => expect(pageText()).toContain('Saved on this phone'))
    click(getButton('Save the changes'))
    await eventually(() => expect(location.pathname).toBe(`/riverside/1/order/${orderNumber}`))
    const textNodes = [{ packageItemTextNodeId: 21, value: 'Juno M.', autoFilled: false }]
    expect(updates).toEqual([{ line: '31', body: { version: 3, textNodes } }])
  })

  test('sends nothing if nothing changed or the change was reverted', async () => {
    await openOrderedLine()
    type(field(), 'Juno M.')
    type(field(), 'Juno')
    expect(pageText()).not.toContain('Saved on this phone')
    click(getButton('Save the changes'))
    await eventually(() => expect(location.pathname).toBe(`/riverside/1/order/${orderNumber}`))
    expect(updates).toEqual([])
  })

  test('reports an emptied text and unprintable characters', async () => {
    await openOrderedLine()
    for (const [text, error] of [
      ['', 'This field is required'],
      ['Juno 😀', 'The print can’t show “😀”'],
    ] as const) {
      type(field(), text)
      click(getButton('Save the changes'))
      await eventually(() => expect(pageText()).toContain(error))
      expect(document.activeElement).toBe(field())
    }
    expect(updates).toEqual([])
  })

  test('keeps local input and shows the other device’s changes after a conflict', async () => {
    await openOrderedLine()
    type(field(), 'Juno M.')
    orderResponse = { ...openOrder, lines: [ordered(4, 'Juno', cropDimensions)] }
    hasConflict = true
    click(getButton('Save the changes'))
    await eventually(() => expect(pageText()).toContain('Another device changed this in the meantime.'))
    hasConflict = false
    await eventually(() => expect(loadCount).toBeGreaterThan(1))
    expect(field().value).toBe('Juno M.')
    updates = []
    await eventually(() => {
      click(getButton('Save the changes'))
      expect(updates).toHaveLength(1)
    })
    expect(updates[0]?.body).toMatchObject({ version: 4, textNodes: [{ value: 'Juno M.' }] })
    expect(updates[0]?.body).not.toHaveProperty('imageNodes')
  })

  test('keeps the input offline, and shows that it is saved on the phone', async () => {
    await openOrderedLine()
    type(field(), 'Juno M.')
    await eventually(async () => expect(JSON.stringify(await readDraft(database, key))).toContain('Juno M.'))
    leaveScreen()
    online = false
    await openOrderedLine()
    expect(field().value).toBe('Juno M.')
    click(getButton('Save the changes'))
    await eventually(() => expect(pageText()).toContain('You’re offline. What you changed is saved on this phone.'))
    expect(field().value).toBe('Juno M.')
  })

  test('is possible for texts if the images are not accessible, with a note on how to change those', async () => {
    const [line] = [ordered(3)]
    orderResponse = { ...openOrder, lines: [{ ...line, images: [], withheld: true }] } as never // responses differ by line
    await openOrderedLine()
    expect(pageText()).toContain('Its photos stay the same.')
    type(field(), 'Juno M.')
    click(getButton('Save the changes'))
    await eventually(() => expect(updates).toHaveLength(1))
    expect(updates[0]?.body).not.toHaveProperty('imageNodes')
  })

  test('edits name and year of the prints, keeps the input, and sends it with its version', async () => {
    const choice = nameAndYear('Juno', { yearOnAllPrints: false })
    const printedText = { id: 41, version: 2, name: 'Name and year', subjectName: 'Juno Ek', choice }
    orderResponse = { ...openOrder, lines: [ordered(3)], printedWords: [printedText] } as never // responses differ by line
    const name = () => getElement<HTMLInputElement>('#words-41-nameToPrint')
    await openOrderedLine()
    expect(countElements('#words-41-yearToPrint')).toBe(0)
    type(name(), ' ')
    click(getButton('Save the changes'))
    expect(document.activeElement).toBe(name())
    expect(pageText()).toContain('This field is required')
    type(name(), 'Juno Ek')
    await eventually(async () => expect(JSON.stringify(await readDraft(database, key))).toContain('Juno Ek"'))
    leaveScreen()
    await openOrderedLine()
    await eventually(() => expect(name().value).toBe('Juno Ek'))
    click(getButton('Save the changes'))
    await eventually(() => expect(updates).toHaveLength(1))
    expect(updates).toEqual([{ line: '41', body: { version: 2, nameToPrint: 'Juno Ek', yearToPrint: '2027' } }])
  })

  test('is not possible for a closed order, which shows the reason', async () => {
    orderResponse = { ...openOrder, state: 'closed', why: 'This order was cancelled', lines: [ordered(3)] } as never // responses differ by line
    await openScreen('This order was cancelled')
    expect(pageText()).not.toContain('Save the changes')
  })
})
