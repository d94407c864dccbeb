import type { Locator, Page } from 'playwright/test'
import type { Infer } from 'superstruct'
import { listImages } from '#contract/customer/discovery-calls.ts'
import { listGreenScreens } from '#contract/customer/job-offers.ts'
import type { Order } from '#contract/customer/order-calls.ts'
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
  openPrints,
  readOrderNumber,
  savedAtServer,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const region = (page: Page, name: string) => page.getByRole('region', { name })
const backgrounds = (page: Page) => page.getByRole('group', { name: 'Background' })

/** Opens the packages of a subject from the public gallery. */
const openPlayer = async (page: Page, jobId: number, subjectName: string): Promise<void> => {
  await page.goto(`/riverside/${jobId}/select-subject`)
  await page.getByRole('link', { name: subjectName }).click()
  await expect(page.getByRole('heading', { name: subjectName, exact: true })).toBeVisible()
}

/** Presses Tab until the control has the focus. */
const tabTo = async (page: Page, control: Locator): Promise<void> => {
  const hasFocus = async () => (await control.and(page.locator(':focus')).count()) > 0
  for (let presses = 0; presses < 150; presses += 1) {
    if (await hasFocus()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${control}`)
}

const pressTimes = async (page: Page, key: string, times: number): Promise<void> => {
  for (let count = 0; count < times; count += 1) await page.keyboard.press(key)
}

const cropByKeys = async (page: Page): Promise<void> => {
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Crop and rotate' })
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

const cropByClicks = async (page: Page, item: string): Promise<void> => {
  await region(page, item).getByRole('button', { name: 'Crop and rotate' }).click()
  const sheet = page.getByRole('dialog', { name: 'Crop and rotate' })
  await sheet.getByRole('slider', { name: 'Zoom' }).fill('1.8')
  await sheet.getByRole('button', { name: 'Rotate right' }).click()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toBeHidden()
}

type Backgrounds = Infer<typeof listGreenScreens.answer>

const backgroundsAtServer = async (page: Page, jobId: number): Promise<Backgrounds> => {
  const response = await page.request.get(listGreenScreens.path.replace(':jobId', String(jobId)))
  return ((await response.json()) as { data: Backgrounds }).data
}

/** Waits until the images of every background are cached. The subject's images are cached by then. */
const waitUntilBackgroundsCached = async (page: Page): Promise<void> => {
  const { jobId } = idsInUrl(page)
  const backgroundList = await backgroundsAtServer(page, jobId)
  const imageUrls = backgroundList.flatMap(({ thumbnailUrl, previewUrl }) => [thumbnailUrl ?? '', previewUrl ?? ''])
  const urls = [listGreenScreens.path.replace(':jobId', String(jobId)), ...imageUrls]
  expect(urls.length).toBeGreaterThan(4)
  const findUncached = () =>
    page.evaluate(async (cacheUrls) => {
      const responses = await Promise.all(cacheUrls.map((url) => caches.match(url, { ignoreVary: true })))
      return cacheUrls.filter((_, index) => !responses[index])
    }, urls)
  await expect.poll(findUncached, { message: 'Every background is cached.' }).toEqual([])
}

/** The subject's individual images, in the order of the screens. */
const fetchPhotos = async (page: Page, jobId: number, subjectId: number): Promise<Image[]> => {
  const path = listImages.path.replace(':jobId', String(jobId)).replace(':subjectId', String(subjectId))
  const { data } = (await (await page.request.get(path)).json()) as { data: Image[] }
  return data.filter(({ type }) => type === 'hosted-individual')
}

/**
 * A subject's lines on the server as the screens show them: the background by name (null for none), the subject's images by number for
 * each print, and each rotation in degrees.
 */
const linesAtServer = async (page: Page, jobId: number, subjectId: number) => {
  const { cartPackages } = await fetchCart(page, jobId)
  const backgroundList = await backgroundsAtServer(page, jobId)
  const photos = (await fetchPhotos(page, jobId, subjectId)).map(({ id }) => id)
  return cartPackages
    .filter((line) => line.subjectId === subjectId)
    .map(({ snapshot, quantity, greenScreen, cartPackageItems }) => {
      const nodes = cartPackageItems.flatMap((item) => item.imageNodes)
      const imageIds = nodes.flatMap(({ subjectImageId }) => subjectImageId ?? [])
      return {
        name: snapshot.package.name,
        quantity,
        background: backgroundList.find(({ id }) => id === greenScreen?.id)?.name ?? null,
        texts: cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value)),
        photos: imageIds.map((imageId) => photos.indexOf(imageId) + 1),
        rotations: nodes.map(({ rotation }) => rotation),
      }
    })
}

/** Opens a line of the cart for editing. */
const openForEditing = async (page: Page, name: RegExp): Promise<void> => {
  await cartLine(page, name).getByRole('link', { name: /^Edit/ }).click()
  await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
}

const saveChanges = async (page: Page): Promise<void> => {
  await expectImagesLoaded(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'Cart', exact: true })).toBeVisible()
}

const choosePhoto = (page: Page, item: string, photo: string): Promise<void> =>
  region(page, item).getByRole('radio', { name: photo, exact: true }).check()

const fillText = (page: Page, field: RegExp, text: string): Promise<void> =>
  page.getByRole('textbox', { name: field }).first().fill(text)

/** Changes the background, undoes a crop, and changes the texts. */
const changePackage = async (page: Page): Promise<void> => {
  await openForEditing(page, /^MVP Package/)
  await openPrints(page)
  await expect(backgrounds(page).getByRole('radio', { name: 'Stadium at Dusk' })).toBeChecked()
  await backgrounds(page).getByRole('radio', { name: 'Park' }).check()
  await region(page, '8 Billfolds').getByRole('button', { name: 'Crop and rotate' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await fillText(page, /^Team/, 'Go on')
  await fillText(page, /^Year/, 'Spring 2027')
  await saveChanges(page)
  const line = cartLine(page, /^MVP Package/)
  await expect(line.getByText('Go on').first()).toBeVisible()
}

/** Changes the images of both add-ons, the text of one, and the crop and background of the other. */
const changeAddOns = async (page: Page): Promise<void> => {
  await openForEditing(page, /^Trader Cards/)
  await expect(region(page, '8 Trader Cards').getByRole('radio', { name: 'Photo 1', exact: true })).toBeChecked()
  await choosePhoto(page, '8 Trader Cards', 'Photo 2')
  await fillText(page, /^Number/, '99')
  await saveChanges(page)
  await expect(cartLine(page, /^Trader Cards/).getByText('99', { exact: true })).toBeVisible()
  await openForEditing(page, /^Extra 5×7/)
  await choosePhoto(page, '5×7 Print', 'Photo 2')
  await cropByClicks(page, '5×7 Print')
  await backgrounds(page).getByRole('radio', { name: 'Park' }).check()
  await saveChanges(page)
}

/** The final texts of both players' packages. The copy for Leah has her own texts, except for the year. */
const textsOfAndre = [
  ['Andre Baptiste', 'Go on', 'Spring 2027', 'Andre Baptiste', 'Go on', 'Defense', '21'],
  ['Andre Baptiste', 'Go Rapids', 'Defense', '99'],
  [],
]
const textsOfLeah = [
  ['Leah Goldberg', 'Rapids U12', 'Spring 2027', 'Leah Goldberg', 'Rapids U12', 'Midfield', '16'],
  ['Leah Goldberg', 'Rapids U12', 'Midfield', '16'],
]

const namePersonalization = {
  nameToPrint: 'Andre B.',
  nameOnWallets: true,
  nameOnAllPrints: false,
  yearToPrint: '2027',
  yearOnWallets: false,
  yearOnAllPrints: false,
}

/** Each line of the order: its subject, its quantity, and its texts. */
const expectedLines = [
  ['MVP Package', 'Andre Baptiste', 2, textsOfAndre[0]],
  ['Trader Cards', 'Andre Baptiste', 1, textsOfAndre[1]],
  ['Extra 5×7', 'Andre Baptiste', 1, textsOfAndre[2]],
  ['MVP Package', 'Leah Goldberg', 2, textsOfLeah[0]],
  ['Trader Cards', 'Leah Goldberg', 1, textsOfLeah[1]],
  ['Premium retouching', 'Andre Baptiste', 1, []],
  ['Name and year', 'Andre Baptiste', 1, [], namePersonalization],
]

const linesIn = (order: Order) =>
  order.lines.map(({ packageName, subjectName, quantity, items, personalization }) => {
    const line = [packageName, subjectName, quantity, items.flatMap(({ texts }) => texts)]
    return personalization ? [...line, personalization] : line
  })

test('A customer orders for two players of a team, with backgrounds, crops, texts, add-ons and a copied package', async ({
  page,
  context,
}) => {
  test.slow()
  await openJob(page, 'RAPIDS')
  const { jobId } = idsInUrl(page)
  await openPlayer(page, jobId, 'Andre Baptiste')
  const andre = idsInUrl(page).subjectId

  await test.step('A package and two add-ons are chosen', async () => {
    await page.getByRole('button', { name: 'Choose: MVP Package' }).click()
    await page.getByRole('checkbox', { name: /^Trader Cards/ }).check()
    await page.getByRole('checkbox', { name: /^Extra 5×7/ }).check()
    await waitUntilPageCached(page)
    await waitUntilBackgroundsCached(page)
    await expect(page).toHaveURL(/package-options\/\d+,\d+,\d+/)
    await openPrints(page)
  })

  await test.step('A background and a crop are chosen by keyboard', async () => {
    await expect(backgrounds(page).first().getByText('No background: prints on white.')).toBeVisible()
    await checkScreen(page, '60-background-none')
    await page.getByRole('heading', { name: 'Make it yours' }).click()
    await tabTo(page, backgrounds(page).first().getByRole('radio', { name: 'No background' }))
    await page.keyboard.press('ArrowRight')
    await expect(backgrounds(page).first().getByRole('radio', { name: 'Stadium at Dusk' })).toBeChecked()
    await tabTo(page, region(page, '8×10 Print').getByRole('button', { name: 'Crop and rotate' }))
    await cropByKeys(page)
    await expect(region(page, '8×10 Print').getByRole('button', { name: 'Crop and rotate' })).toBeFocused()
  })

  await test.step('Another crop and a text are added', async () => {
    await cropByClicks(page, '8 Billfolds')
    await page.getByRole('textbox', { name: /^Team/ }).first().fill('Go Rapids')
    await expectImagesLoaded(page)
    await checkScreen(page, '61-background')
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
  })

  await test.step('The server stores the backgrounds, crops, texts and add-ons', async () => {
    const [mainPackage, ...addOns] = await linesAtServer(page, jobId, andre)
    expect(mainPackage).toMatchObject({ name: 'MVP Package', background: 'Stadium at Dusk', photos: [1, 1, 1, 1] })
    expect(mainPackage?.texts).toContain('Go Rapids')
    expect(mainPackage?.rotations.filter((degrees) => degrees !== 0).sort()).toEqual([7, 90])
    expect(addOns).toMatchObject([
      { name: 'Trader Cards', background: 'Stadium at Dusk', photos: [1] },
      { name: 'Extra 5×7', background: null, photos: [1], rotations: [0] },
    ])
    await expect(page.getByRole('button', { name: /^Copy for/ })).toHaveCount(0)
  })

  await test.step('The package and its add-ons are changed offline', async () => {
    await context.setOffline(true)
    await changePackage(page)
    await changeAddOns(page)
    await expectImagesLoaded(page)
    await context.setOffline(false)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    const lines = await linesAtServer(page, jobId, andre)
    expect(lines).toMatchObject([
      { name: 'MVP Package', background: 'Park', photos: [1, 1, 1, 1] },
      { name: 'Trader Cards', background: 'Stadium at Dusk', photos: [2] },
      { name: 'Extra 5×7', background: 'Park', photos: [2], rotations: [90] },
    ])
    expect(lines[0]?.rotations.filter((degrees) => degrees !== 0)).toEqual([7])
    expect(lines.map(({ texts }) => texts)).toEqual(textsOfAndre)
  })

  await test.step('Retouching and a name on the billfolds are added', async () => {
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

  await test.step('Both services are changed', async () => {
    await page.getByRole('link', { name: /^Retouching, name and year for Andre/ }).click()
    await expect(page.getByRole('radio', { name: /Basic retouching/ })).toBeChecked()
    await page.getByRole('radio', { name: /Premium retouching/ }).check()
    await page.getByRole('textbox', { name: 'Name to print' }).fill('Andre B.')
    await page.getByRole('checkbox', { name: 'Year on wallet prints' }).uncheck()
    await page.getByRole('link', { name: 'Back to the cart' }).click()
    await expect(page.getByRole('list', { name: 'Services for Andre' })).toContainText(
      /Premium retouching.*“Andre B.” on wallet prints/s,
    )
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    const { retouches, personalizations } = (await fetchCart(page, jobId)).cartOrderServicesDetails
    expect(retouches).toMatchObject([{ subjectId: andre, level: 'premium' }])
    expect(personalizations).toMatchObject([{ nameToPrint: 'Andre B.', nameOnWallets: true, yearOnWallets: false }])
  })

  await test.step('The quantity is raised, and the package is copied for another player', async () => {
    await cartLine(page, /^MVP Package/)
      .getByRole('button', { name: 'One more MVP Package' })
      .click()
    await expect(cartLine(page, /^MVP Package/).getByText('2 × $48.00')).toBeVisible()
    await openPlayer(page, jobId, 'Leah Goldberg')
    await page.getByRole('button', { name: 'Choose: Memory Mate' }).click()
    await page.getByRole('link', { name: /^Cart/ }).click()
    await cartLine(page, /^MVP Package/)
      .getByRole('button', { name: /^Copy for/ })
      .click()
    const dialog = page.getByRole('dialog', { name: /^Copy .* for …/ })
    await dialog.getByRole('checkbox', { name: 'Extra 5×7' }).uncheck()
    await expectImagesLoaded(page)
    await checkScreen(page, '62-same-for')
    await dialog.getByRole('link', { name: 'Leah Goldberg' }).click()
    await expect(page.getByText('2 × MVP Package + Trader Cards for Leah')).toBeVisible()
    await expect(page.getByText('Copied from Andre.')).toBeVisible()
    await openPrints(page)
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
    const copies = await linesAtServer(page, jobId, leah)
    expect(copies).toMatchObject([
      { name: 'MVP Package', quantity: 2, background: 'Park', photos: [1, 1, 1, 1] },
      { name: 'Trader Cards', quantity: 1, background: 'Stadium at Dusk', photos: [2] },
    ])
    expect(copies.map(({ texts }) => texts)).toEqual(textsOfLeah)
  })

  await test.step('The cart is ordered and paid', async () => {
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.good)
    await page.getByRole('button', { name: 'Review order' }).click()
    await expect(page.getByRole('heading', { name: 'Review your order' })).toBeVisible()
    await expectImagesLoaded(page)
    await checkScreen(page, '65-review')
    await page.getByRole('button', { name: /^Pay \$/ }).click()
    const order = await fetchOrder(page, jobId, await readOrderNumber(page))
    expect(linesIn(order)).toEqual(expectedLines)
    const [, secondPhoto] = await fetchPhotos(page, jobId, andre)
    const thumbnailUrl = order.lines.find(({ packageName }) => packageName === 'Extra 5×7')?.imageThumbnailUrl
    expect(thumbnailUrl).toContain(`/${secondPhoto?.id}/`)
    await expectImagesLoaded(page)
    await checkScreen(page, '68-everything-ordered')
  })
})

test('The yearbook photo can be chosen by keyboard, is saved at once, and can be changed', async ({ page }) => {
  await openAda(page)
  const { jobId, subjectId } = idsInUrl(page)
  const useButton = page.getByRole('button', { name: 'Use this photo in the yearbook' })
  const chosenButton = page.getByRole('button', { name: 'This photo is in the yearbook' })
  await page.getByRole('radio', { name: 'Photo 2', exact: true }).check()
  await tabTo(page, useButton)
  await page.keyboard.press('Enter')
  await expect(chosenButton).toBeFocused()
  const readYearbookChoice = async () => (await fetchCart(page, jobId)).yearBookPoses
  await expect.poll(readYearbookChoice).toMatchObject([{ subjectId }])
  const [firstChoice] = await readYearbookChoice()
  await expectImagesLoaded(page)
  await checkScreen(page, '66-yearbook')
  await page.getByRole('radio', { name: 'Photo 3', exact: true }).check()
  await useButton.click()
  await expect(chosenButton).toBeVisible()
  await expect.poll(async () => (await fetchCart(page, jobId)).yearBookPoses[0]?.imageId).not.toBe(firstChoice?.imageId)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Photo 3, in the yearbook' })).toBeVisible()
  await page.getByRole('radio', { name: 'Photo 2', exact: true }).check()
  await expect(useButton).toBeVisible()
})
