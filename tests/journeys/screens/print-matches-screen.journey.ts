import fc from 'fast-check'
import { expect, test } from 'playwright/test'
import { renderPrint } from '#server/images/print/print-file.ts'
import { printGlyphs } from '#server/images/print/print-glyphs.ts'
import { type Bitmap, type FoundMark, findLetters, findMark, readBitmap } from '#support/printing/bitmap-marks.ts'
import {
  aspects,
  type Chart,
  type ChartCase,
  type ChartImage,
  chartNodeIds,
  drawChart,
  exifOrientations,
  type MarkName,
  onImageBox,
  onPaperBox,
  orientations,
  rotations,
  textGrounds,
} from '#support/printing/print-chart.ts'
import { openPrintPage, type PrintPage } from '#support/printing/print-page.ts'
import { testSeed } from '#support/seed.ts'

const isLong = process.env.LONG === '1'

/** Large enough to measure a pixel, small enough to draw many. One case of every run is a real 5×7. */
const smallInches = 3
/** Enough cases to cover the property with the most values. */
const sampled = exifOrientations.length

const turns = fc.record({
  zoom: fc.double({ min: 0.55, max: 0.98, noNaN: true }),
  towards: fc.record({
    x: fc.double({ min: -1, max: 1, noNaN: true }),
    y: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
})

const shuffled = <Value>(values: readonly Value[], more: number): Value[] => {
  const all = fc.shuffledSubarray([...values], { minLength: values.length })
  return fc.sample(all, { seed: testSeed + more, numRuns: 1 }).flat()
}

/** Every combination in a long run; else a sample that covers each value of each property. */
const cases = (): ChartCase[] => {
  const every = aspects.flatMap((aspect) =>
    orientations.flatMap((orientation) =>
      rotations.flatMap((rotation) => exifOrientations.map((exif) => ({ aspect, orientation, rotation, exif }))),
    ),
  )
  const [shapes, lies, turned, held] = [
    shuffled(aspects, 1),
    shuffled(orientations, 2),
    shuffled(rotations, 3),
    shuffled(exifOrientations, 4),
  ]
  const some = Array.from({ length: sampled }, (_, n) => ({
    aspect: shapes[n % shapes.length] ?? aspects[0],
    orientation: lies[n % lies.length] ?? 'portrait',
    rotation: turned[n % turned.length] ?? 0,
    exif: held[n % held.length] ?? 1,
  }))
  const chosen = isLong ? every : some
  const crops = fc.sample(fc.noBias(turns), { seed: testSeed, numRuns: chosen.length })
  return chosen.map((one, n) => ({
    ...one,
    inches: smallInches,
    zoom: crops[n]?.zoom ?? 1,
    towards: crops[n]?.towards ?? { x: 0, y: 0 },
  }))
}

const largePrint: ChartCase = {
  aspect: [5, 7],
  orientation: 'portrait',
  rotation: 7,
  exif: 6,
  inches: 7,
  zoom: 0.9,
  towards: { x: 0.3, y: -0.4 },
}

const pictureTypes = { photo: 'image/jpeg', cutOut: 'image/png', background: 'image/jpeg' } as const

const onScreen = async (
  chart: Chart,
  { draw, images: pictures }: PrintPage,
  size: { width: number; height: number },
) => {
  const show = (name: keyof typeof pictureTypes, number: number) => {
    const { file, ...chosen } = chart[name]
    const url = `/${number}-${name}`
    pictures.set(url, { body: file, contentType: pictureTypes[name] })
    return { ...chosen, url, background: null }
  }
  const number = pictures.size
  const { item, texts } = chart
  const { url } = show('background', number)
  const background = { url }
  return await draw(
    {
      item,
      texts: [...texts],
      images: [
        [chartNodeIds.photo, { ...show('photo', number), background }],
        [chartNodeIds.cutOut, { ...show('cutOut', number), background }],
      ],
    },
    size,
  )
}

const onPaper = async ({ item, texts, photo, cutOut, background }: Chart) => {
  const original = ({ file, ...chosen }: ChartImage) => ({ ...chosen, source: file })
  const pictures = new Map([
    [chartNodeIds.photo, original(photo)],
    [chartNodeIds.cutOut, original(cutOut)],
  ])
  return await renderPrint({ item, texts, images: pictures, background: original(background) }, printGlyphs())
}

const distance = (one: { x: number; y: number }, other: { x: number; y: number }) =>
  Math.hypot(one.x - other.x, one.y - other.y)

type Compared = { what: string; apart: number; sizes: number }

const compare = (screen: Bitmap, paper: Bitmap, chart: Chart): Compared[] => {
  const pair = (what: string, one: FoundMark, other: FoundMark): Compared => ({
    what,
    apart: distance(one, other),
    sizes: one.weight / other.weight,
  })
  const marks = Object.entries(chart.marks).flatMap(([name, place]) => {
    const mark = name as MarkName // the chart uses no other mark names
    const at = { x: place.x * paper.width, y: place.y * paper.height }
    const found = findMark(paper, mark, at)
    return [
      pair(mark, findMark(screen, mark, at), found),
      { what: `${mark} by the rule`, apart: distance(found, at), sizes: 1 },
    ]
  })
  const onPhoto = findLetters(screen, paper, onImageBox, textGrounds.photo)
  const written = findLetters(screen, paper, onPaperBox, textGrounds.paper)
  expect(onPhoto.length, 'letters on the photo').toBeGreaterThan(5)
  expect(written.length, 'letters on paper').toBeGreaterThan(10)
  return [
    ...marks,
    ...onPhoto.map(([one, other]) => pair('a letter on the photo', one, other)),
    ...written.map(([one, other]) => pair('a letter on paper', one, other)),
  ]
}

/** Compares one print with the screen. Returns the largest deviation of a mark, in pixels. */
const hold = async (one: ChartCase, page: PrintPage): Promise<number> => {
  const chart = await drawChart(one)
  const file = await onPaper(chart)
  const { width, height } = file
  const screen = await readBitmap(await onScreen(chart, page, { width, height }))
  const paper = await readBitmap(file.jpeg)
  expect([paper.width, paper.height]).toEqual([screen.width, screen.height])
  const compared = compare(screen, paper, chart)
  const wrong = compared.filter(({ apart, sizes }) => !(apart <= 1 && sizes > 0.9 && sizes < 1.1))
  expect(wrong, `print ${JSON.stringify(one)}, seed ${testSeed}`).toEqual([])
  return Math.max(...compared.map(({ apart }) => apart))
}

test('what a screen draws is what prints, to the pixel', async ({ browser }) => {
  const chosen = [largePrint, ...cases()]
  test.setTimeout(60_000 + chosen.length * 5_000)
  const page = await openPrintPage(browser)
  const worst: number[] = []
  for (const one of chosen) worst.push(await hold(one, page))
  await page.page.context().close()
  process.stdout.write(
    `     ${chosen.length} prints, seed ${testSeed}: the worst mark is ${Math.max(...worst).toFixed(2)} of 1 pixel off\n`,
  )
})
