import type { Locator, Page } from 'playwright/test'
import type { Infer } from 'superstruct'
import type { Order } from '#contract/customer/checkout-calls.ts'
import { listImages } from '#contract/customer/discovery-calls.ts'
import { listGreenScreens } from '#contract/customer/job-offers.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartLine,
  cartStatus,
  expectImagesLoaded,
  fetchCart,
  fetchOrder,
  fillCardForm,
  fillCheckoutForm,
  idsInUrl,
  openAda,
  openJob,
  readOrderNumber,
  savedAtServer,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const region = (page: Page, name: string) => page.getByRole('region', { name })
const backgrounds = (page: Page) => page.getByRole('group', { name: 'Background' })

/** From a public gallery to the packages of one of its subjects. */
const openPlayer = async (page: Page, jobId: number, person: string): Promise<void> => {
  await page.goto(`/riverside/${jobId}/select-subject`)
  await page.getByRole('link', { name: person }).click()
  await expect(page.getByRole('heading', { name: person, exact: true })).toBeVisible()
}

/** Presses Tab until the control has the focus. */
const tabTo = async (page: Page, control: Locator): Promise<void> => {
  const isThere = async () => (await control.and(page.locator(':focus')).count()) > 0
  for (let presses = 0; presses < 150; presses += 1) {
    if (await isThere()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${control}`)
}

const pressTimes = async (page: Page, key: string, times: number): Promise<void> => {
  for (let count = 0; count < times; count += 1) await page.keyboard.press(key)
}

const cropByKeys = async (page: Page): Promise<void> => {
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Crop and turn' })
  await expect(sheet).toBeVisible()
  await tabTo(page, sheet.getByRole('slider', { name: 'Zoom' }))
  await pressTimes(page, 'ArrowRight', 20)
  await tabTo(page, sheet.getByRole('slider', { name: 'Straighten' }))
  await pressTimes(page, 'ArrowRight', 7)
  await tabTo(page, sheet.getByRole('button', { name: 'Move left' }))
  await page.keyboard.press('Enter')
  await tabTo(page, sheet.getByRole('button', { name: 'Done' }))
  await page.keyboard.press('Enter')
  await expect(sheet).toBeHidden()
}

const cropByHand = async (page: Page, item: string): Promise<void> => {
  await region(page, item).getByRole('button', { name: 'Crop and turn' }).click()
  const sheet = page.getByRole('dialog', { name: 'Crop and turn' })
  await sheet.getByRole('slider', { name: 'Zoom' }).fill('1.8')
  await sheet.getByRole('button', { name: 'Turn right' }).click()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toBeHidden()
}

type Backgrounds = Infer<typeof listGreenScreens.answer>

const backgroundsAtServer = async (page: Page, jobId: number): Promise<Backgrounds> => {
  const answer = await page.request.get(listGreenScreens.path.replace(':jobId', String(jobId)))
  return ((await answer.json()) as { data: Backgrounds }).data
}

/** Waits until the images of every background are cached. The subject's images are cached by then. */
const untilBackgroundsAreKept = async (page: Page): Promise<void> => {
  const { jobId } = idsInUrl(page)
  const offered = await backgroundsAtServer(page, jobId)
  const pictures = offered.flatMap(({ thumbnailUrl, previewUrl }) => [thumbnailUrl ?? '', previewUrl ?? ''])
  const wanted = [listGreenScreens.path.replace(':jobId', String(jobId)), ...pictures]
  expect(wanted.length).toBeGreaterThan(4)
  const missing = () =>
    page.evaluate(async (addresses) => {
      const kept = await Promise.all(addresses.map((address) => caches.match(address, { ignoreVary: true })))
      return addresses.filter((_, index) => !kept[index])
    }, wanted)
  await expect.poll(missing, { message: 'every background is on the device' }).toEqual([])
}

/** The subject's own images, in the order shown. */
const photosOf = async (page: Page, jobId: number, subjectId: number): Promise<Image[]> => {
  const path = listImages.path.replace(':jobId', String(jobId)).replace(':subjectId', String(subjectId))
  const { data } = (await (await page.request.get(path)).json()) as { data: Image[] }
  return data.filter(({ type }) => type === 'hosted-individual')
}

/**
 * A subject's lines on the server in the words of the screens: the background by name (null for none), the subject's images by number for
 * each print, and each rotation in degrees.
 */
const standing = async (page: Page, jobId: number, subjectId: number) => {
  const { cartPackages } = await fetchCart(page, jobId)
  const offered = await backgroundsAtServer(page, jobId)
  const photos = (await photosOf(page, jobId, subjectId)).map(({ id }) => id)
  return cartPackages
    .filter((line) => line.subjectId === subjectId)
    .map(({ snapshot, quantity, greenScreen, cartPackageItems }) => {
      const nodes = cartPackageItems.flatMap((item) => item.imageNodes)
      const own = nodes.flatMap(({ subjectImageId }) => subjectImageId ?? [])
      return {
        name: snapshot.package.name,
        quantity,
        background: offered.find(({ id }) => id === greenScreen?.id)?.name ?? null,
        texts: cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value)),
        photos: own.map((imageId) => photos.indexOf(imageId) + 1),
        turns: nodes.map(({ rotation }) => rotation),
      }
    })
}

/** Opens a line of the cart for editing. */
const reopen = async (page: Page, name: RegExp): Promise<void> => {
  await cartLine(page, name).getByRole('link', { name: /^Edit/ }).click()
  await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
}

const saveChanges = async (page: Page): Promise<void> => {
  await expectImagesLoaded(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'Cart', exact: true })).toBeVisible()
}

const takePhoto = (page: Page, item: string, photo: string): Promise<void> =>
  region(page, item).getByRole('radio', { name: photo, exact: true }).check()

const write = (page: Page, field: RegExp, text: string): Promise<void> =>
  page.getByRole('textbox', { name: field }).first().fill(text)

/** Changes the background, undoes a crop, and changes the texts. */
const changePackage = async (page: Page): Promise<void> => {
  await reopen(page, /^MVP Package/)
  await expect(backgrounds(page).getByRole('radio', { name: 'Stadium at Dusk' })).toBeChecked()
  await backgrounds(page).getByRole('radio', { name: 'Park' }).check()
  await region(page, '8 Billfolds').getByRole('button', { name: 'Crop and turn' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await write(page, /^Team/, 'Go on')
  await write(page, /^Year/, 'Spring 2027')
  await saveChanges(page)
  const line = cartLine(page, /^MVP Package/)
  await expect(line.getByText('Go on').first()).toBeVisible()
}

/** Changes the images of both add-ons, the text of one, and the crop and background of the other. */
const changeAddOns = async (page: Page): Promise<void> => {
  await reopen(page, /^Trader Cards/)
  await expect(region(page, '8 Trader Cards').getByRole('radio', { name: 'Photo 1', exact: true })).toBeChecked()
  await takePhoto(page, '8 Trader Cards', 'Photo 2')
  await write(page, /^Number/, '99')
  await saveChanges(page)
  await expect(cartLine(page, /^Trader Cards/).getByText('99', { exact: true })).toBeVisible()
  await reopen(page, /^Extra 5×7/)
  await takePhoto(page, '5×7 Print', 'Photo 2')
  await cropByHand(page, '5×7 Print')
  await backgrounds(page).getByRole('radio', { name: 'Park' }).check()
  await saveChanges(page)
}

/** The final content of both packages. Leah's texts are her own except for the year, which names no one. */
const textsOfAndre = [
  ['Andre Baptiste', 'Go on', 'Spring 2027', 'Andre Baptiste', 'Go on', 'Defense', '21'],
  ['Andre Baptiste', 'Go Rapids', 'Defense', '99'],
  [],
]
const textsOfLeah = [
  ['Leah Goldberg', 'Rapids U12', 'Spring 2027', 'Leah Goldberg', 'Rapids U12', 'Midfield', '16'],
  ['Leah Goldberg', 'Rapids U12', 'Midfield', '16'],
]

const nameOnly = {
  nameToPrint: 'Andre B.',
  nameOnWallets: true,
  nameOnAllPrints: false,
  yearToPrint: String(new Date().getUTCFullYear()),
  yearOnWallets: false,
  yearOnAllPrints: false,
}

/** Each line of the order: its subject, its quantity, and its texts. */
const ordered = [
  ['MVP Package', 'Andre Baptiste', 2, textsOfAndre[0]],
  ['Trader Cards', 'Andre Baptiste', 1, textsOfAndre[1]],
  ['Extra 5×7', 'Andre Baptiste', 1, textsOfAndre[2]],
  ['MVP Package', 'Leah Goldberg', 2, textsOfLeah[0]],
  ['Trader Cards', 'Leah Goldberg', 1, textsOfLeah[1]],
  ['Premium retouching', 'Andre Baptiste', 1, []],
  ['Name and year', 'Andre Baptiste', 1, [], nameOnly],
]

const linesIn = (order: Order) =>
  order.lines.map(({ packageName, personName, quantity, items, personalization }) => {
    const line = [packageName, personName, quantity, items.flatMap(({ texts }) => texts)]
    return personalization ? [...line, personalization] : line
  })

test('Two players of a team: cut out, on a background, cropped and named, with add-ons, changed, and the same for the other', async ({
  page,
  context,
}) => {
  test.slow()
  await openJob(page, 'RAPIDS')
  const { jobId } = idsInUrl(page)
  await openPlayer(page, jobId, 'Andre Baptiste')
  const andre = idsInUrl(page).subjectId

  await test.step('a package and an add-on of each kind', async () => {
    await page.getByRole('button', { name: 'Choose: MVP Package' }).click()
    await page.getByRole('checkbox', { name: /^Trader Cards/ }).check()
    await page.getByRole('checkbox', { name: /^Extra 5×7/ }).check()
    await waitUntilPageCached(page)
    await untilBackgroundsAreKept(page)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
  })

  await test.step('a background and a crop, with keys alone', async () => {
    await expect(backgrounds(page).first().getByText('Without a background the picture prints on white.')).toBeVisible()
    await checkScreen(page, '60-background-none')
    await page.getByRole('heading', { name: 'Make it yours' }).click()
    await tabTo(page, backgrounds(page).first().getByRole('radio', { name: 'No background' }))
    await page.keyboard.press('ArrowRight')
    await expect(backgrounds(page).first().getByRole('radio', { name: 'Stadium at Dusk' })).toBeChecked()
    await tabTo(page, region(page, '8×10 Print').getByRole('button', { name: 'Crop and turn' }))
    await cropByKeys(page)
    await expect(region(page, '8×10 Print').getByRole('button', { name: 'Crop and turn' })).toBeFocused()
  })

  await test.step('another crop, a text, and what is missing', async () => {
    await cropByHand(page, '8 Billfolds')
    await page.getByRole('textbox', { name: /^Team/ }).first().fill('Go Rapids')
    await expectImagesLoaded(page)
    await checkScreen(page, '61-background')
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
  })

  await test.step('the server has it all', async () => {
    const [chosen, ...addOns] = await standing(page, jobId, andre)
    expect(chosen).toMatchObject({ name: 'MVP Package', background: 'Stadium at Dusk', photos: [1, 1, 1, 1] })
    expect(chosen?.texts).toContain('Go Rapids')
    expect(chosen?.turns.filter((turn) => turn !== 0).sort()).toEqual([7, 90])
    expect(addOns).toMatchObject([
      { name: 'Trader Cards', background: 'Stadium at Dusk', photos: [1] },
      { name: 'Extra 5×7', background: null, photos: [1], turns: [0] },
    ])
    await expect(page.getByRole('button', { name: /^Same for/ })).toHaveCount(0)
  })

  await test.step('everything is changed again, without a network', async () => {
    await context.setOffline(true)
    await changePackage(page)
    await changeAddOns(page)
    await expectImagesLoaded(page)
    await context.setOffline(false)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    const lines = await standing(page, jobId, andre)
    expect(lines).toMatchObject([
      { name: 'MVP Package', background: 'Park', photos: [1, 1, 1, 1] },
      { name: 'Trader Cards', background: 'Stadium at Dusk', photos: [2] },
      { name: 'Extra 5×7', background: 'Park', photos: [2], turns: [90] },
    ])
    expect(lines[0]?.turns.filter((turn) => turn !== 0)).toEqual([7])
    expect(lines.map(({ texts }) => texts)).toEqual(textsOfAndre)
  })

  await test.step('retouched, and named on the billfolds', async () => {
    await page.getByRole('link', { name: /^Retouching, name and year for Andre/ }).click()
    await page.getByRole('radio', { name: /Basic retouching/ }).check()
    await page.getByRole('checkbox', { name: /^Name and year/ }).check()
    await expect(page.getByRole('textbox', { name: 'Name to print' })).toHaveValue('Andre Baptiste')
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    await checkScreen(page, '67-services-of-a-person')
    const { retouches, personalizations } = (await fetchCart(page, jobId)).cartOrderServicesDetails
    expect(retouches).toMatchObject([{ subjectId: andre, level: 'basic' }])
    expect(personalizations).toMatchObject([{ subjectId: andre, nameToPrint: 'Andre Baptiste', nameOnWallets: true }])
    await page.getByRole('link', { name: 'Back to the cart' }).click()
  })

  await test.step('both are changed after they were ordered', async () => {
    await page.getByRole('link', { name: /^Retouching, name and year for Andre/ }).click()
    await expect(page.getByRole('radio', { name: /Basic retouching/ })).toBeChecked()
    await page.getByRole('radio', { name: /Premium retouching/ }).check()
    await page.getByRole('textbox', { name: 'Name to print' }).fill('Andre B.')
    await page.getByRole('checkbox', { name: 'Year on wallets' }).uncheck()
    await page.getByRole('link', { name: 'Back to the cart' }).click()
    await expect(page.getByRole('list', { name: 'Services for Andre' })).toContainText(
      /Premium retouching.*“Andre B.” on wallets/s,
    )
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    const { retouches, personalizations } = (await fetchCart(page, jobId)).cartOrderServicesDetails
    expect(retouches).toMatchObject([{ subjectId: andre, level: 'premium' }])
    expect(personalizations).toMatchObject([{ nameToPrint: 'Andre B.', nameOnWallets: true, yearOnWallets: false }])
  })

  await test.step('two of it, and the same for the other player', async () => {
    await cartLine(page, /^MVP Package/)
      .getByRole('button', { name: 'One more MVP Package' })
      .click()
    await expect(cartLine(page, /^MVP Package/).getByText('2 × $48.00')).toBeVisible()
    await openPlayer(page, jobId, 'Leah Goldberg')
    await page.getByRole('button', { name: 'Choose: Memory Mate' }).click()
    await page.getByRole('link', { name: /^Cart/ }).click()
    await cartLine(page, /^MVP Package/)
      .getByRole('button', { name: /^Same for/ })
      .click()
    const dialog = page.getByRole('dialog', { name: /the same for/ })
    await dialog.getByRole('checkbox', { name: 'Extra 5×7' }).uncheck()
    await expectImagesLoaded(page)
    await checkScreen(page, '62-same-for')
    await dialog.getByRole('link', { name: 'Leah Goldberg' }).click()
    await expect(page.getByText('2 × MVP Package + Trader Cards for Leah')).toBeVisible()
    await expect(page.getByText('As for Andre.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: /^Name/ }).first()).toHaveValue('Leah Goldberg')
    await expect(backgrounds(page).first().getByRole('radio', { name: 'Park' })).toBeChecked()
    await expect(backgrounds(page).last().getByRole('radio', { name: 'Stadium at Dusk' })).toBeChecked()
    await expectImagesLoaded(page)
    await checkScreen(page, '63-copy')
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    await expectImagesLoaded(page)
    await checkScreen(page, '64-cart-of-two')
    const { cartPackages } = await fetchCart(page, jobId)
    const leah = cartPackages.find((line) => line.subjectId !== andre)?.subjectId ?? 0
    const copies = await standing(page, jobId, leah)
    expect(copies).toMatchObject([
      { name: 'MVP Package', quantity: 2, background: 'Park', photos: [1, 1, 1, 1] },
      { name: 'Trader Cards', quantity: 1, background: 'Stadium at Dusk', photos: [2] },
    ])
    expect(copies.map(({ texts }) => texts)).toEqual(textsOfLeah)
  })

  await test.step('it is ordered', async () => {
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.good)
    await page.getByRole('button', { name: 'Review order' }).click()
    await expect(page.getByRole('heading', { name: 'Review your order' })).toBeVisible()
    await expectImagesLoaded(page)
    await checkScreen(page, '65-review')
    await page.getByRole('button', { name: /^Pay \$/ }).click()
    const order = await fetchOrder(page, jobId, await readOrderNumber(page))
    expect(linesIn(order)).toEqual(ordered)
    const [, second] = await photosOf(page, jobId, andre)
    const shown = order.lines.find(({ packageName }) => packageName === 'Extra 5×7')?.imageThumbnailUrl
    expect(shown).toContain(`/${second?.id}/`)
    await expectImagesLoaded(page)
    await checkScreen(page, '68-everything-ordered')
  })
})

test('The picture for the yearbook is chosen at once, with keys alone, and changed as often as one likes', async ({
  page,
}) => {
  await openAda(page)
  const { jobId, subjectId } = idsInUrl(page)
  const use = page.getByRole('button', { name: 'Use this picture in the yearbook' })
  const chosen = page.getByRole('button', { name: 'This picture is in the yearbook' })
  await page.getByRole('radio', { name: 'Pose 2', exact: true }).check()
  await tabTo(page, use)
  await page.keyboard.press('Enter')
  await expect(chosen).toBeFocused()
  const chosenAtServer = async () => (await fetchCart(page, jobId)).yearBookPoses
  await expect.poll(chosenAtServer).toMatchObject([{ subjectId }])
  const [first] = await chosenAtServer()
  await expectImagesLoaded(page)
  await checkScreen(page, '66-yearbook')
  await page.getByRole('radio', { name: 'Pose 3', exact: true }).check()
  await use.click()
  await expect(chosen).toBeVisible()
  await expect.poll(async () => (await fetchCart(page, jobId)).yearBookPoses[0]?.imageId).not.toBe(first?.imageId)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Pose 3, in the yearbook' })).toBeVisible()
  await page.getByRole('radio', { name: 'Pose 2', exact: true }).check()
  await expect(use).toBeVisible()
})
