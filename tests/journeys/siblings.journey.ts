import type { Locator, Page } from 'playwright/test'
import type { Infer } from 'superstruct'
import { listGreenScreens } from '../../src/contract/job-offers.ts'
import { expect, test } from '../support/journey.ts'
import { lookAt } from '../support/looks.ts'
import {
  addToCart,
  cards,
  cartAtServer,
  expectPictures,
  giveCard,
  giveCode,
  giveDetails,
  lineOf,
  openAda,
  openEvent,
  orderNumber,
  placeOf,
  search,
  sentToRiverside,
  status,
} from '../support/parent.ts'
import { untilWarm } from '../support/warm.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const region = (page: Page, name: string) => page.getByRole('region', { name })
const backgrounds = (page: Page) => page.getByRole('group', { name: 'Background' })

/** From a public gallery to the packages of one of its people. */
const openPlayer = async (page: Page, jobId: number, person: string): Promise<void> => {
  await page.goto(`/riverside/${jobId}/select-subject`)
  await page.getByRole('link', { name: person }).click()
  await expect(page.getByRole('heading', { name: person, exact: true })).toBeVisible()
}

/** With keys alone: to a control, wherever it is on the screen, as Tab leads there. */
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

/** Every background's pictures are on the device: the person's are by then. */
const untilBackgroundsAreKept = async (page: Page): Promise<void> => {
  const path = listGreenScreens.path.replace(':jobId', String(placeOf(page).jobId))
  const { data } = (await (await page.request.get(path)).json()) as { data: Infer<typeof listGreenScreens.answer> }
  const wanted = [path, ...data.flatMap(({ thumbnailUrl, previewUrl }) => [thumbnailUrl ?? '', previewUrl ?? ''])]
  expect(wanted.length).toBeGreaterThan(4)
  const missing = () =>
    page.evaluate(async (addresses) => {
      const kept = await Promise.all(addresses.map((address) => caches.match(address, { ignoreVary: true })))
      return addresses.filter((_, index) => !kept[index])
    }, wanted)
  await expect.poll(missing, { message: 'every background is on the device' }).toEqual([])
}

/** What stands behind a line's pictures, by the names the studio gave them; the rest of a line that is checked here. */
const standing = async (page: Page, jobId: number, subjectId: number) => {
  const { cartPackages } = await cartAtServer(page, jobId)
  return cartPackages
    .filter((line) => line.subjectId === subjectId)
    .map((line) => ({
      name: line.snapshot.package.name,
      quantity: line.quantity,
      background: line.snapshot.images.some((one) => one.greenScreenId === line.greenScreen?.id),
      texts: line.cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value)),
      turns: line.cartPackageItems.flatMap((item) => item.imageNodes.map(({ rotation }) => rotation)),
    }))
}

test('Two players of a team: cut out, on a background, cropped and named, with add-ons, changed, and the same for the other', async ({
  page,
  context,
}) => {
  test.slow()
  await openEvent(page, 'RAPIDS')
  const { jobId } = placeOf(page)
  await openPlayer(page, jobId, 'Andre Baptiste')
  const andre = placeOf(page).subjectId

  await test.step('a package and an add-on of each kind', async () => {
    await page.getByRole('button', { name: 'Choose: MVP Package' }).click()
    await page.getByRole('checkbox', { name: /^Trader Cards/ }).check()
    await page.getByRole('checkbox', { name: /^Extra 5×7/ }).check()
    await untilWarm(page)
    await untilBackgroundsAreKept(page)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
  })

  await test.step('a background and a crop, with keys alone', async () => {
    await expect(backgrounds(page).first().getByText('Without a background the picture prints on white.')).toBeVisible()
    await lookAt(page, '60-background-none')
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
    await expectPictures(page)
    await lookAt(page, '61-background')
    await addToCart(page)
    await expect(status(page)).toHaveText(sentToRiverside)
  })

  await test.step('the server has it all', async () => {
    const lines = await standing(page, jobId, andre)
    expect(lines.map(({ name, background }) => [name, background])).toEqual([
      ['MVP Package', true],
      ['Trader Cards', true],
      ['Extra 5×7', expect.any(Boolean)],
    ])
    expect(lines[0]?.texts).toContain('Go Rapids')
    expect(lines[0]?.turns.filter((turn) => turn !== 0).sort()).toEqual([7, 90])
  })

  await test.step('everything is changed again, without a network', async () => {
    await context.setOffline(true)
    await lineOf(page, /^MVP Package/)
      .getByRole('link', { name: /^Edit/ })
      .click()
    await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
    await expect(backgrounds(page).getByRole('radio', { name: 'Stadium at Dusk' })).toBeChecked()
    await backgrounds(page).getByRole('radio', { name: 'Park' }).check()
    await region(page, '8 Billfolds').getByRole('button', { name: 'Crop and turn' }).click()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('textbox', { name: /^Team/ }).first().fill('Go on')
    await expectPictures(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('heading', { name: 'Cart', exact: true })).toBeVisible()
    await expect(
      lineOf(page, /^MVP Package/)
        .getByText('Go on')
        .first(),
    ).toBeVisible()
    await expectPictures(page)
    await context.setOffline(false)
    await expect(status(page)).toHaveText(sentToRiverside)
    const [changed] = await standing(page, jobId, andre)
    expect(changed).toMatchObject({ background: true, texts: expect.arrayContaining(['Go on']) })
    expect(changed?.turns.filter((turn) => turn !== 0)).toEqual([7])
  })

  await test.step('two of it, and the same for the other player', async () => {
    await lineOf(page, /^MVP Package/)
      .getByRole('button', { name: 'One more MVP Package' })
      .click()
    await expect(lineOf(page, /^MVP Package/).getByText('2 × $48.00')).toBeVisible()
    await openPlayer(page, jobId, 'Leah Goldberg')
    await page.getByRole('button', { name: 'Choose: Memory Mate' }).click()
    await page.getByRole('link', { name: /^Cart/ }).click()
    await lineOf(page, /^MVP Package/)
      .getByRole('button', { name: /^Same for/ })
      .click()
    const dialog = page.getByRole('dialog', { name: /the same for/ })
    await dialog.getByRole('checkbox', { name: 'Extra 5×7' }).uncheck()
    await expectPictures(page)
    await lookAt(page, '62-same-for')
    await dialog.getByRole('link', { name: 'Leah Goldberg' }).click()
    await expect(page.getByText('2 × MVP Package + Trader Cards for Leah')).toBeVisible()
    await expect(page.getByText('As for Andre.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: /^Name/ }).first()).toHaveValue('Leah Goldberg')
    await expect(backgrounds(page).first().getByRole('radio', { name: 'Park' })).toBeChecked()
    await expect(backgrounds(page).last().getByRole('radio', { name: 'Stadium at Dusk' })).toBeChecked()
    await expectPictures(page)
    await lookAt(page, '63-copy')
    await addToCart(page)
    await expect(status(page)).toHaveText(sentToRiverside)
    await expectPictures(page)
    await lookAt(page, '64-cart-of-two')
    const { cartPackages } = await cartAtServer(page, jobId)
    const leah = cartPackages.find((line) => line.subjectId !== andre)?.subjectId ?? 0
    expect(await standing(page, jobId, leah)).toMatchObject([
      { name: 'MVP Package', quantity: 2, background: true, texts: expect.arrayContaining(['Leah Goldberg']) },
      { name: 'Trader Cards', quantity: 1, background: true },
    ])
  })

  await test.step('retouched, and named on the billfolds', async () => {
    await page.getByRole('link', { name: /^Retouching, name and year for Andre/ }).click()
    await page
      .getByRole('radio', { name: /Basic retouching/ })
      .first()
      .check()
    await page
      .getByRole('checkbox', { name: /^Name and year/ })
      .first()
      .check()
    await expect(page.getByRole('textbox', { name: 'Name to print' })).toHaveValue('Andre Baptiste')
    await expect(status(page)).toHaveText(sentToRiverside)
    await lookAt(page, '67-services-of-a-person')
    const { retouches, personalizations } = (await cartAtServer(page, jobId)).cartOrderServicesDetails
    expect(retouches).toMatchObject([{ subjectId: andre, level: 'basic' }])
    expect(personalizations).toMatchObject([{ subjectId: andre, nameToPrint: 'Andre Baptiste', nameOnWallets: true }])
    await page.getByRole('link', { name: 'Back to the cart' }).click()
  })

  await test.step('it is ordered', async () => {
    await giveDetails(page)
    await giveCard(page, cards.good)
    await page.getByRole('button', { name: 'Review order' }).click()
    await expect(page.getByRole('heading', { name: 'Review your order' })).toBeVisible()
    await expectPictures(page)
    await lookAt(page, '65-review')
    await page.getByRole('button', { name: /^Pay \$/ }).click()
    expect(await orderNumber(page)).toMatch(/^FP-/)
  })
})

test('The picture for the yearbook is chosen at once, with keys alone, and changed as often as one likes', async ({
  page,
}) => {
  await openAda(page)
  const { jobId, subjectId } = placeOf(page)
  const use = page.getByRole('button', { name: 'Use this picture in the yearbook' })
  const chosen = page.getByRole('button', { name: 'This picture is in the yearbook' })
  await page.getByRole('radio', { name: 'Pose 2', exact: true }).check()
  await tabTo(page, use)
  await page.keyboard.press('Enter')
  await expect(chosen).toBeFocused()
  await expect(page.getByRole('status').getByText(sentToRiverside).last()).toBeVisible()
  const [first] = (await cartAtServer(page, jobId)).yearBookPoses
  expect(first?.subjectId).toBe(subjectId)
  await expectPictures(page)
  await lookAt(page, '66-yearbook')
  await page.getByRole('radio', { name: 'Pose 3', exact: true }).check()
  await use.click()
  await expect(chosen).toBeVisible()
  await expect.poll(async () => (await cartAtServer(page, jobId)).yearBookPoses[0]?.imageId).not.toBe(first?.imageId)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Pose 3, in the yearbook' })).toBeVisible()
  await page.getByRole('radio', { name: 'Pose 2', exact: true }).check()
  await expect(use).toBeVisible()
})

test('A studio without the features shows none of it', async ({ page }) => {
  await page.goto('/summit')
  await giveCode(page, 'HAWKS')
  await expect(page).toHaveURL(/\/summit\/\d+\//)
  await search(page, 'T', 'ma')
  await page.getByRole('button', { name: /Tessa Marlow/ }).click()
  await page.getByRole('button', { name: 'Yes, show the pictures' }).click()
  await expect(page.getByRole('heading', { name: 'Tessa Marlow', exact: true })).toBeVisible()
  await page.getByRole('radio', { name: 'Pose 2', exact: true }).check()
  await expect(page.getByText(/yearbook/i)).toHaveCount(0)
  const { jobId } = placeOf(page)
  const screens = await page.request.get(listGreenScreens.path.replace(':jobId', String(jobId)))
  expect(await screens.json()).toEqual({ data: [] })
  await page.getByRole('button', { name: /^Choose: Starter/ }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Crop and turn' }).first()).toBeVisible()
  await expect(backgrounds(page)).toHaveCount(0)
  await addToCart(page)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Same for/ })).toHaveCount(0)
})
