import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type CustomisedPackage,
  newCustomisedPackage,
  toLineContent,
} from '#client/customer/packages/customiser/customised-package.ts'
import { Customiser } from '#client/customer/packages/customiser/customiser.tsx'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { placeTexts } from '#domain/printing/print-text.ts'
import { readDraft } from '#local/store/device-entries.ts'
import { database } from '#platform/database.ts'
import { whenIdle } from '#platform/when-idle.ts'
import { glyphTable } from '#support/printing/glyph-table.ts'
import {
  cleanUp,
  click,
  countElements,
  getButton,
  getElement,
  render,
  type,
  waitForPage,
} from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { imageNode, packageItem, packageOf, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import {
  ada,
  customiseContext,
  familyPackage,
  groupImage,
  landscape,
  portrait,
  replacementImage,
} from '../package-examples.ts'

const allImages = [portrait, landscape, groupImage, replacementImage]
let submitted: CustomisedPackage[][] = []
/** Whether the packages were added to the cart. */
let outcome: Promise<boolean>

const Screen = ({ initialParts, images }: { initialParts: CustomisedPackage[]; images: Image[] }) => (
  <Customiser
    initialParts={initialParts}
    subject={ada}
    images={images}
    backUrl="/riverside/1/subject/7/select-package"
    submitLabel="Add to cart"
    draftKey="customise:test"
    onSubmit={(parts) => {
      submitted.push(parts)
      return outcome
    }}
  />
)

const openCustomiser = (
  initialParts = [newCustomisedPackage(familyPackage, customiseContext())],
  jobContext: JobContextValue = springJobContext(),
  images = allImages,
) => {
  const slot = document.body.appendChild(document.createElement('div'))
  render(
    <JobContext value={jobContext}>
      <BottomBarSlot value={slot}>
        <Screen {...{ initialParts, images }} />
      </BottomBarSlot>
    </JobContext>,
  )
}

/** The path of a text as it is drawn on the example items. */
const expectedPath = (text: string): string | undefined => {
  const item = packageItem({ textNodes: [textNode({ id: 1 })] })
  return placeTexts(item, { texts: new Map([[1, text]]), images: new Map() }, glyphTable)[0]?.path
}
/** The paths of all texts on the screen. */
const drawnPaths = () => [...document.querySelectorAll('svg path[transform]')].map((path) => path.getAttribute('d'))

const field = (id: string) => getElement<HTMLInputElement>(`#${id}`)

beforeAll(async () => {
  // The only file that these screens load is the print font, which is loaded once for all tests.
  vi.stubGlobal('fetch', async () => Response.json(glyphTable))
  await act(async () => openCustomiser())
  cleanUp()
  document.body.replaceChildren()
})

beforeEach(() => {
  submitted = []
  outcome = Promise.resolve(false)
  history.replaceState(null, '', '/riverside/1/subject/7/package-options/40')
})

afterEach(async () => {
  document.body.replaceChildren()
  await act(() => database.drafts.clear())
})

describe('customising a package', () => {
  test('does not add an incomplete package, and focuses the first missing field with its error', () => {
    openCustomiser()
    click(getButton('Add to cart'))
    expect(submitted).toEqual([])
    expect(document.activeElement?.id).toBe('text-0-414')
    expect(field('text-0-414').getAttribute('aria-invalid')).toBe('true')
  })

  test('shows every image of the subject, and no other, if all are included as downloads', () => {
    const files = packageOf({
      items: [packageItem({ productCode: 'WholeDigDown', imageNodes: [], textNodes: [] })],
    })
    openCustomiser([newCustomisedPackage(files, customiseContext())])
    expect(getElement('ul[aria-label="2 photos"]').querySelectorAll('img')).toHaveLength(2)
    expect(document.body.textContent).toContain('Nothing to choose: ')
  })

  test('says at its field that a text is too long to read, until it is shorter', () => {
    openCustomiser()
    const hint = () => document.getElementById('text-0-414-hint')?.textContent
    type(field('text-0-414'), 'ONWARD '.repeat(28))
    expect(hint()).toBe('Too long to read at this size')
    type(field('text-0-414'), 'Onward')
    expect(hint()).toBeUndefined()
  })

  test('reports an unprintable character at its field at once, and blocks adding to the cart', () => {
    openCustomiser()
    type(field('text-0-414'), 'Onward 😀')
    expect(field('text-0-414').getAttribute('aria-invalid')).toBe('true')
    expect(document.body.textContent).toContain('The print can’t show “😀”')
    expect(document.body.textContent).toContain('2 things to do')
    click(getButton('Add to cart'))
    expect(submitted).toEqual([])
    click(getButton('Motto on 8×10 Print: The print can’t show “😀”'))
    expect(document.activeElement?.id).toBe('text-0-414')
    type(field('text-0-414'), 'Onward')
    expect(countElements('#gaps button')).toBe(0)
  })

  test('links each missing field in the list', () => {
    openCustomiser()
    click(getButton('Motto on 5×7 Print'))
    expect(document.activeElement?.id).toBe('text-0-422')
  })

  test('shows input on the print at once, and adds the packages once nothing is missing', async () => {
    openCustomiser()
    type(field('text-0-414'), 'Onward')
    expect(drawnPaths()).toContain(expectedPath('Onward'))
    expect(countElements('#gaps button')).toBe(0)
    await act(async () => getButton('Add to cart').click())
    const [part] = submitted[0] ?? []
    if (!part) throw new Error('nothing was submitted')
    expect(toLineContent(part).textNodes.map((node) => node.value)).toEqual([
      'Ada Lovelace',
      'ada.lovelace@engine.test',
      'Onward',
      'Onward',
      'Onward',
    ])
  })

  test('changes nothing on the screen when it is submitted, and marks the button as busy later', async () => {
    outcome = new Promise(() => {})
    openCustomiser()
    type(field('text-0-414'), 'Onward')
    const mutations: MutationRecord[] = []
    const observer = new MutationObserver((records) => void mutations.push(...records))
    observer.observe(document.body, { subtree: true, childList: true, attributes: true })
    click(getButton('Add to cart'))
    expect(submitted).toHaveLength(1)
    expect([...mutations, ...observer.takeRecords()]).toEqual([])
    await vi.waitFor(async () => {
      await act(() => new Promise((resolve) => setTimeout(resolve)))
      expect(getButton('Add to cart').getAttribute('aria-busy')).toBe('true')
    })
  })

  test('deletes the draft and opens the cart once added, and ignores further taps meanwhile', async () => {
    let finishAdding = (_: boolean) => {}
    outcome = new Promise((resolve) => {
      finishAdding = resolve
    })
    openCustomiser()
    type(field('text-0-414'), 'Onward')
    click(getButton('Add to cart'))
    click(getButton('Add to cart'))
    await act(async () => {
      finishAdding(true)
      await vi.waitFor(() => {
        getButton('Add to cart').click()
        expect(location.pathname).toBe('/riverside/1/cart')
      })
    })
    expect(submitted).toHaveLength(1)
    expect(await readDraft(database, 'customise:test')).toBeUndefined()
  })

  test('keeps packages that could not be added, for a retry', async () => {
    openCustomiser()
    type(field('text-0-414'), 'Onward')
    await act(async () => getButton('Add to cart').click())
    await act(async () => getButton('Add to cart').click())
    expect(submitted).toHaveLength(2)
    expect(location.pathname).toBe('/riverside/1/subject/7/package-options/40')
    expect(await readDraft(database, 'customise:test')).toBeDefined()
  })

  test('applies one choice to identical prints until they are separated', () => {
    openCustomiser()
    expect(document.body.textContent).toContain('Both the same')
    const strip = getElement('#image-0-421').querySelectorAll<HTMLInputElement>('input[type=radio]')
    click(strip[1] ?? getButton('none'))
    click(getButton('Make them different'))
    const chosenIndexes = ['image-0-421', 'image-0-431'].map((id) =>
      [...getElement(`#${id}`).querySelectorAll<HTMLInputElement>('input')].findIndex((input) => input.checked),
    )
    expect(chosenIndexes).toEqual([1, 1])
  })

  test('offers a replacement for a subject’s own images, draws it in their place, and adds it to the cart', async () => {
    openCustomiser()
    const options = (id: string) =>
      [...getElement(`#${id}`).querySelectorAll('input[type=radio]')].map((input) => input.getAttribute('aria-label'))
    expect(options('image-0-411')).toEqual(['Photo 1', 'Photo 2', 'From the studio, photo 3'])
    click(getButton('Change: 8×10 Class Picture'))
    expect(options('image-0-441')).toEqual(['Rapids, photo 1'])
    click(getElement<HTMLInputElement>('#image-0-411 input[aria-label="From the studio, photo 3"]'))
    expect(countElements(`svg image[href="${replacementImage.previewUrl}"]`)).toBe(1)
    type(field('text-0-414'), 'Onward')
    await act(async () => getButton('Add to cart').click())
    const [choice] = submitted[0]?.[0]?.images.filter((node) => node.packageItemImageNodeId === 411) ?? []
    expect(choice).toMatchObject({ subjectImageId: portrait.id, replacementImageId: replacementImage.id })
  })

  test('stores every change on the device at once', async () => {
    openCustomiser()
    type(field('text-0-414'), 'On')
    await vi.waitFor(async () => {
      expect(JSON.stringify(await readDraft(database, 'customise:test'))).toContain('"shown":"On"')
    })
  })

  test('allows cropping a portrait, but not a class photo', () => {
    openCustomiser()
    click(getButton('Change: 8×10 Class Picture'))
    expect(getElement('#image-0-411').textContent).toContain('Crop and rotate')
    expect(getElement('#image-0-441').textContent).not.toContain('Crop and rotate')
  })
})

const twoPrints = packageOf({
  items: [
    packageItem({
      id: 3,
      name: '8x10 Print',
      imageNodes: [imageNode({ id: 31 })],
      textNodes: [textNode({ id: 32, name: 'Name', dataSource: 'name' })],
    }),
    packageItem({ id: 4, name: '5x7 Print', imageNodes: [imageNode({ id: 41 })], textNodes: [] }),
  ],
})

describe('finished prints', () => {
  test('are rows with what was filled in, and nothing is left to do but to add them', async () => {
    openCustomiser([newCustomisedPackage(twoPrints, customiseContext({ imageId: landscape.id }))])
    expect(countElements('fieldset, input')).toBe(0)
    const rows = [...document.querySelectorAll('ol > li p')].map(({ textContent }) => textContent)
    expect(rows).toEqual(['Photo 2 · Ada Lovelace', 'Photo 2'])
    await act(async () => getButton('Add to cart').click())
    expect(submitted[0]?.[0]?.images.map(({ subjectImageId }) => subjectImageId)).toEqual([landscape.id, landscape.id])
  })

  test('open to be changed, and close again; the focus follows', () => {
    const job = { ...springJobContext().job, importedData: false }
    openCustomiser([newCustomisedPackage(twoPrints, customiseContext())], springJobContext({ job }))
    click(getButton('Change: 8×10 Print'))
    expect(document.activeElement).toBe(getElement('#item-0-3'))
    type(field('text-0-32'), 'A. Lovelace')
    click(getButton('Done with 8×10 Print'))
    expect(document.activeElement).toBe(getButton('Change: 8×10 Print'))
    expect(getElement('ol').textContent).toContain('Photo 1 · A. Lovelace')
  })

  test('stay open while they are filled in, and cannot be closed while something is missing', () => {
    openCustomiser()
    expect(document.body.textContent).not.toContain('Done with 8×10 Print')
    type(field('text-0-414'), 'Onward')
    expect(field('text-0-414').value).toBe('Onward')
    expect(getButton('Done with 8×10 Print')).toBeDefined()
    click(getButton('Done with 8×10 Print'))
    click(getButton('Change: 8×10 Print'))
    type(field('text-0-414'), '')
    expect(document.body.textContent).not.toContain('Done with 8×10 Print')
  })

  test('are a card from the start if there is only one', () => {
    openCustomiser([newCustomisedPackage(packageOf({}), customiseContext())])
    expect(countElements('ol fieldset')).toBe(1)
    expect(document.body.textContent).not.toContain('Done with')
  })
})

describe('texts of data owned by the studio (section 5)', () => {
  test.each([
    ['gallery', true, false, false],
    ['gallery', false, true, true],
    ['prepay', false, true, false],
    ['prepay', true, false, true],
  ] as const)(
    'ordering by %s, with imported data for the gallery (%s) and for prepay (%s): a filled-in name can be edited: %s',
    (orderMethod, importedData, prepayImported, isAsked) => {
      const { job } = springJobContext()
      const imported = { ...job, importedData, prepaySettings: { importedData: prepayImported } }
      openCustomiser(
        [newCustomisedPackage(familyPackage, customiseContext({ orderMethod }))],
        springJobContext({ orderMethod, job: imported }),
      )
      expect([countElements('#text-0-412'), countElements('#text-0-414')]).toEqual([isAsked ? 1 : 0, 1])
    },
  )
})

describe('an unknown aspect (section 8)', () => {
  const square = packageItem({ name: '8x8 Print', widthInches: 8, heightInches: 8, textNodes: [] })
  const warning = '8x8 Print, Image1: unknown aspect ratio 1.0000, 8/10 is used'
  const choose = (index: number) => {
    const photo = document.querySelectorAll<HTMLInputElement>('fieldset input[type=radio]')[index]
    click(photo ?? getButton('the photo is missing'))
  }
  const openAndSpyOnWarnings = (jobContext: JobContextValue, images = allImages) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    openCustomiser(
      [newCustomisedPackage(packageOf({ items: [square] }), customiseContext({ images }))],
      jobContext,
      images,
    )
    return warn.mock.calls
  }
  /** Resolves after warnings of the images that are chosen now would have been logged: when the page is idle, by a lazy module. */
  const waitForLogging = async () => {
    await new Promise<void>((resolve) => whenIdle(resolve))
    await import('#client/customer/packages/customiser/log-aspect-warnings.ts')
  }
  afterEach(() => void vi.restoreAllMocks())

  test('is logged once, whatever images are tried', async () => {
    const logged = openAndSpyOnWarnings(springJobContext())
    await waitForPage(() => expect(logged).toEqual([[warning]]))
    choose(1)
    choose(0)
    await waitForLogging()
    expect(logged).toEqual([[warning]])
  })

  test('is logged for an image chosen later too', async () => {
    // A sports organization's 5x7 image keeps its aspect on every print.
    const sportJob = springJobContext({ job: { ...springJobContext().job, organizationType: 'sport' } })
    const logged = openAndSpyOnWarnings(sportJob, [{ ...portrait, width: 2500, height: 3500 }, landscape])
    await waitForLogging()
    expect(logged).toEqual([])
    choose(1)
    await waitForPage(() => expect(logged).toEqual([[warning]]))
  })
})
