import 'fake-indexeddb/auto'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { imageChoiceDraftKey } from '#client/customer/packages/image-choice/image-choice-draft.ts'
import { ImageChoiceScreen } from '#client/customer/packages/image-choice/image-choice-screen.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import { readDraft } from '#local/store/drafts.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { glyphTable } from '#support/printing/glyph-table.ts'
import { cleanUp, click, countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { ToastHost } from '#ui/toast/toast-host.tsx'
import { imageChoice, lineOf, packageItem, packageOf, textChoice } from '../../../../domain/cart/cart-fixtures.ts'
import { nameAndYear } from '../../../../domain/cart/order-service-fixtures.ts'
import { image } from '../package-examples.ts'

const orderNumber = 'FP-00000000'
const route = { studioSlug: 'riverside', jobId: 1, orderNumber }
const key = imageChoiceDraftKey(1, orderNumber)

const print = packageOf({ items: [packageItem()] })
const lineFor = (id: number, firstName: string, subjectId: number, images: readonly object[], of = print) => {
  const line = lineOf(of, { textNodes: [textChoice(21, firstName)] })
  const snapshot = { ...line.snapshot, images: [], subject: { ...line.snapshot.subject, firstName } }
  return { id, needsPoses: true, line: { ...line, lineId: `line-${id}`, subjectId, snapshot }, images }
}

const cutOuts = [image(501, { hasAlpha: true }), image(502, { hasAlpha: true })]
const poses = {
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
let told: { line: string; body: unknown }[] = []
let offered: unknown[] = backgrounds
let answered = poses
let online = true
/** Whether another device has changed the order first. */
let refusing = false
/** How often the order was loaded. */
let asks = 0

const response = (data: unknown) => Response.json({ data })

const server = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const request = new Request(new URL(input instanceof Request ? input.url : input, location.href), init)
  const method = input instanceof Request ? input.method : request.method
  const { pathname } = new URL(request.url)
  if (!online) throw new TypeError('Failed to fetch')
  if (pathname.endsWith('/greenscreens')) return response(offered)
  if (method === 'PATCH') {
    const text = await (input instanceof Request ? input.clone() : request).text()
    if (refusing) return Response.json({ errors: ['Somebody changed this'], problem: 'conflict' }, { status: 409 })
    told.push({ line: /lines\/(\d+)/.exec(pathname)?.[1] ?? '', body: JSON.parse(text) })
    return response({ needsPoses: false, awaitsPoses: false })
  }
  if (pathname.endsWith('/poses')) asks += 1
  return pathname.startsWith('/api/') ? response(answered) : Response.json(glyphTable)
}

const words = () => document.body.textContent ?? ''

/** Waits for asynchronous responses of device and server. */
const shows = async (look: () => void | Promise<void>) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  // The first screen loads the background choice on demand, which is slow on a busy machine.
  await vi
    .waitFor(look, { timeout: 10_000 })
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}

const open = async (until = 'No background') => {
  const slot = document.body.appendChild(document.createElement('div'))
  render(
    <BottomBarSlot value={slot}>
      <ImageChoiceScreen {...route} />
      <ToastHost />
    </BottomBarSlot>,
  )
  await shows(() => expect(words()).toContain(until))
}

const leave = () => {
  cleanUp()
  document.body.replaceChildren()
  clearQueryCache()
}

/** An option on the screen, by subject and accessible name. */
const option = (person: 'Juno' | 'Pip', label: string): HTMLInputElement => {
  const section = document.querySelector(`section[aria-label="Package A for ${person}"]`)
  const found = [...(section?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [])].find(
    (each) => each.getAttribute('aria-label') === label || each.closest('label')?.textContent === label,
  )
  if (!found) throw new Error(`nothing for ${person} is called ${label}`)
  return found
}

const choose = async () => {
  await shows(() => expect(option('Juno', 'Field').checked).toBe(false))
  click(option('Juno', 'Photo 2'))
  click(option('Juno', 'Field'))
  await shows(() => expect(words()).toContain('Saved on this phone'))
  await shows(async () => expect(JSON.stringify(await readDraft(database, key))).toContain('"greenScreenId":9'))
}

const stands = async () => {
  await shows(() => expect(option('Juno', 'Photo 2').checked).toBe(true))
  expect(option('Pip', 'Photo 1').checked).toBe(true)
}

beforeAll(async () => {
  // The screen's only lazy chunk and the print font, loaded once for all tests.
  vi.stubGlobal('fetch', server)
  await open()
  leave()
}, 30_000)

beforeEach(async () => {
  told = []
  offered = backgrounds
  answered = poses
  online = true
  refusing = false
  asks = 0
  vi.stubGlobal('fetch', server)
  history.replaceState(null, '', `/riverside/1/order/${orderNumber}/pictures`)
  await database.delete()
  await database.open()
})

afterEach(() => {
  leave()
  vi.unstubAllGlobals()
})

describe('choosing the images of an order', () => {
  test('puts cut-outs on the job’s backgrounds, per package, and submits them', async () => {
    await open()
    await choose()
    expect(option('Pip', 'No background').checked).toBe(true)
    click(getButton('Save the pictures'))
    await shows(() => expect(location.pathname).toBe(`/riverside/1/order/${orderNumber}`))
    leave()
    expect(told).toMatchObject([
      { line: '31', body: { greenScreenBackgroundId: 9, imageNodes: [{ subjectImageId: 502 }] } },
      { line: '32', body: { greenScreenBackgroundId: null, imageNodes: [{ subjectImageId: 601 }] } },
    ])
    expect(await readDraft(database, key)).toBeUndefined()
  })

  test('logs an unknown aspect once for the whole choice', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const square = packageOf({ items: [packageItem({ name: 'Square', widthInches: 8, heightInches: 8 })] })
    answered = { ...poses, lines: [lineFor(31, 'Juno', 7, cutOuts, square)] }
    await open('Package A for Juno')
    click(option('Juno', 'Photo 2'))
    await shows(() => expect(words()).toContain('Saved on this phone'))
    expect(warn.mock.calls).toEqual([['Square, Image1: unknown aspect ratio 1.0000, 8/10 is used']])
    warn.mockRestore()
  })

  test('promises no email if there are no images, since none may follow', async () => {
    answered = { ...poses, state: 'waiting', lines: [lineFor(31, 'Juno', 7, [])] }
    await open('There are no pictures to choose from')
    expect(words()).not.toContain('write to you')
  })

  test('offers no background if the job has none', async () => {
    offered = []
    await open('Package A for Pip')
    await shows(() => expect(option('Juno', 'Photo 1').checked).toBe(true))
    expect(words()).not.toContain('Background')
  })

  test('shows a chosen background that the job no longer has, to be replaced', async () => {
    offered = []
    const [juno, pip] = poses.lines
    if (!juno || !pip) throw new Error('two lines')
    answered = { ...poses, lines: [{ ...juno, line: { ...juno.line, greenScreen: { id: 9 } } }, pip] }
    await open()
    expect(words()).toContain('The background you chose is not on offer any more.')
    click(option('Juno', 'No background'))
    await shows(() => expect(words()).toContain('Without a background the picture prints on white.'))
    expect(document.querySelectorAll('[aria-label="Package A for Pip"] input[name^=background]')).toHaveLength(0)
  })

  test('is stored as it is chosen, through reloads and offline, until it is submitted', async () => {
    await open()
    await choose()
    leave()
    online = false
    await open('Package A for Pip')
    await stands()
    click(getButton('Save the pictures'))
    await shows(() => expect(words()).toContain('What you chose is kept on this phone.'))
    expect(told).toEqual([])
    leave()
    online = true
    await open()
    await stands()
    await shows(() => expect(option('Juno', 'Field').checked).toBe(true))
    click(getButton('Save the pictures'))
    await shows(() => expect(told).toHaveLength(2))
    expect(told[0]).toMatchObject({ body: { greenScreenBackgroundId: 9, imageNodes: [{ subjectImageId: 502 }] } })
  })

  test('needs a connection if there is no draft', async () => {
    online = false
    render(<ImageChoiceScreen {...route} />)
    await shows(() => expect(words()).toContain('Your order is safe'))
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
    return { id: 31, version, needsPoses: false, line: { ...line, lineId: 'line-31', subjectId: 7, snapshot }, images }
  }
  const open31 = async () => {
    await open('Change texts and pictures')
    await shows(() => expect(field().value).not.toBe(''))
  }
  const field = () => {
    const found = document.querySelector<HTMLInputElement>('input[id^=text-]')
    if (!found) throw new Error('no text is asked for')
    return found
  }

  beforeEach(() => {
    answered = { ...poses, lines: [ordered(3)] }
  })

  test('sends only a changed text, with the version it was based on', async () => {
    await open31()
    type(field(), 'Juno M.')
    await shows(() => expect(words()).toContain('Saved on this phone'))
    click(getButton('Save the changes'))
    await shows(() => expect(location.pathname).toBe(`/riverside/1/order/${orderNumber}`))
    const textNodes = [{ packageItemTextNodeId: 21, value: 'Juno M.', autoFilled: false }]
    expect(told).toEqual([{ line: '31', body: { version: 3, textNodes } }])
  })

  test('sends nothing if nothing changed or the change was reverted', async () => {
    await open31()
    type(field(), 'Juno M.')
    type(field(), 'Juno')
    expect(words()).not.toContain('Saved on this phone')
    click(getButton('Save the changes'))
    await shows(() => expect(location.pathname).toBe(`/riverside/1/order/${orderNumber}`))
    expect(told).toEqual([])
  })

  test('reports an emptied text and unprintable characters', async () => {
    await open31()
    for (const [typed, sentence] of [
      ['', 'This field is required'],
      ['Juno 😀', 'The print can’t show “😀”'],
    ] as const) {
      type(field(), typed)
      click(getButton('Save the changes'))
      await shows(() => expect(words()).toContain(sentence))
      expect(document.activeElement).toBe(field())
    }
    expect(told).toEqual([])
  })

  test('keeps local input and shows the other device’s changes after a conflict', async () => {
    await open31()
    type(field(), 'Juno M.')
    answered = { ...poses, lines: [ordered(4, 'Juno', cropDimensions)] }
    refusing = true
    click(getButton('Save the changes'))
    await shows(() => expect(words()).toContain('This was changed on another device in between.'))
    refusing = false
    await shows(() => expect(asks).toBeGreaterThan(1))
    expect(field().value).toBe('Juno M.')
    told = []
    await shows(() => {
      click(getButton('Save the changes'))
      expect(told).toHaveLength(1)
    })
    expect(told[0]?.body).toMatchObject({ version: 4, textNodes: [{ value: 'Juno M.' }] })
    expect(told[0]?.body).not.toHaveProperty('imageNodes')
  })

  test('keeps the input offline, and says so', async () => {
    await open31()
    type(field(), 'Juno M.')
    await shows(async () => expect(JSON.stringify(await readDraft(database, key))).toContain('Juno M.'))
    leave()
    online = false
    await open31()
    expect(field().value).toBe('Juno M.')
    click(getButton('Save the changes'))
    await shows(() => expect(words()).toContain('Saving needs a connection. What you changed is kept on this phone.'))
    expect(field().value).toBe('Juno M.')
  })

  test('is possible for texts if the images are not accessible, with a note on how to change those', async () => {
    const [line] = [ordered(3)]
    answered = { ...poses, lines: [{ ...line, images: [], withheld: true }] } as never // responses differ by line
    await open31()
    expect(words()).toContain('Its pictures stay as they are.')
    type(field(), 'Juno M.')
    click(getButton('Save the changes'))
    await shows(() => expect(told).toHaveLength(1))
    expect(told[0]?.body).not.toHaveProperty('imageNodes')
  })

  test('edits name and year of the prints, keeps the input, and sends it with its version', async () => {
    const choice = nameAndYear('Juno', { yearOnAllPrints: false })
    const words1 = { id: 41, version: 2, name: 'Name and year', personName: 'Juno Ek', choice }
    answered = { ...poses, lines: [ordered(3)], printedWords: [words1] } as never // responses differ by line
    const name = () => getElement<HTMLInputElement>('#words-41-nameToPrint')
    await open31()
    expect(countElements('#words-41-yearToPrint')).toBe(0)
    type(name(), ' ')
    click(getButton('Save the changes'))
    expect(document.activeElement).toBe(name())
    expect(words()).toContain('This field is required')
    type(name(), 'Juno Ek')
    await shows(async () => expect(JSON.stringify(await readDraft(database, key))).toContain('Juno Ek"'))
    leave()
    await open31()
    await shows(() => expect(name().value).toBe('Juno Ek'))
    click(getButton('Save the changes'))
    await shows(() => expect(told).toHaveLength(1))
    expect(told).toEqual([{ line: '41', body: { version: 2, nameToPrint: 'Juno Ek', yearToPrint: '2027' } }])
  })

  test('is over if the server says so, with its reason', async () => {
    answered = { ...poses, state: 'closed', why: 'This order was cancelled', lines: [ordered(3)] } as never // as above
    await open('This order was cancelled')
    expect(words()).not.toContain('Save the changes')
  })
})
