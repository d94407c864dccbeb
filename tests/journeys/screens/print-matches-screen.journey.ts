import fc from 'fast-check'
import { expect, test } from 'playwright/test'
import { printGlyphs, renderPrint } from '#server/images/print/print-file.ts'
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
/** Enough cases to cover each value of the property that has the most values. */
const sampleSize = exifOrientations.length

const crops = fc.record({
  zoom: fc.double({ min: 0.55, max: 0.98, noNaN: true }),
  towards: fc.record({
    x: fc.double({ min: -1, max: 1, noNaN: true }),
    y: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
})

const shuffle = <Value>(values: readonly Value[], seedOffset: number): Value[] => {
  const shuffledValues = fc.shuffledSubarray([...values], { minLength: values.length })
  return fc.sample(shuffledValues, { seed: testSeed + seedOffset, numRuns: 1 }).flat()
}

/** Every combination in a long run, otherwise a sample that covers each value of each property. */
const cases = (): ChartCase[] => {
  const allCases = aspects.flatMap((aspect) =>
    orientations.flatMap((orientation) =>
      rotations.flatMap((rotation) => exifOrientations.map((exif) => ({ aspect, orientation, rotation, exif }))),
    ),
  )
  const [shuffledAspects, shuffledOrientations, shuffledRotations, shuffledExif] = [
    shuffle(aspects, 1),
    shuffle(orientations, 2),
    shuffle(rotations, 3),
    shuffle(exifOrientations, 4),
  ]
  const sampledCases = Array.from({ length: sampleSize }, (_, n) => ({
    aspect: shuffledAspects[n % shuffledAspects.length] ?? aspects[0],
    orientation: shuffledOrientations[n % shuffledOrientations.length] ?? 'portrait',
    rotation: shuffledRotations[n % shuffledRotations.length] ?? 0,
    exif: shuffledExif[n % shuffledExif.length] ?? 1,
  }))
  const chosenCases = isLong ? allCases : sampledCases
  const sampledCrops = fc.sample(fc.noBias(crops), { seed: testSeed, numRuns: chosenCases.length })
  return chosenCases.map((chartCase, n) => ({
    ...chartCase,
    inches: smallInches,
    zoom: sampledCrops[n]?.zoom ?? 1,
    towards: sampledCrops[n]?.towards ?? { x: 0, y: 0 },
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

const contentTypes = { photo: 'image/jpeg', cutOut: 'image/png', background: 'image/jpeg' } as const

const drawOnScreen = async (chart: Chart, { draw, images }: PrintPage, size: { width: number; height: number }) => {
  const addImage = (name: keyof typeof contentTypes, number: number) => {
    const { file, ...imageChoice } = chart[name]
    const url = `/${number}-${name}`
    images.set(url, { body: file, contentType: contentTypes[name] })
    return { ...imageChoice, url, background: null }
  }
  const number = images.size
  const { item, texts } = chart
  const { url } = addImage('background', number)
  const background = { url }
  return await draw(
    {
      item,
      texts: [...texts],
      images: [
        [chartNodeIds.photo, { ...addImage('photo', number), background }],
        [chartNodeIds.cutOut, { ...addImage('cutOut', number), background }],
      ],
    },
    size,
  )
}

const renderOnPaper = async ({ item, texts, photo, cutOut, background }: Chart) => {
  const original = ({ file, ...imageChoice }: ChartImage) => ({ ...imageChoice, source: file })
  const images = new Map([
    [chartNodeIds.photo, original(photo)],
    [chartNodeIds.cutOut, original(cutOut)],
  ])
  return await renderPrint({ item, texts, images, background: original(background) }, printGlyphs())
}

const distance = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y)

/**
 * The distance in pixels of a mark on the print from the same mark on the screen, or from its expected position; and its
 * size on the screen divided by its size on the print.
 */
type MarkDeviation = { mark: string; distancePx: number; sizeRatio: number }

const compare = (screen: Bitmap, paper: Bitmap, chart: Chart): MarkDeviation[] => {
  const compareMark = (mark: string, onScreen: FoundMark, onPaper: FoundMark): MarkDeviation => ({
    mark,
    distancePx: distance(onScreen, onPaper),
    sizeRatio: onScreen.weight / onPaper.weight,
  })
  const marks = Object.entries(chart.marks).flatMap(([name, position]) => {
    const mark = name as MarkName // the chart uses no other mark names
    const expected = { x: position.x * paper.width, y: position.y * paper.height }
    const onPaper = findMark(paper, mark, expected)
    return [
      compareMark(mark, findMark(screen, mark, expected), onPaper),
      { mark: `${mark} at its expected position`, distancePx: distance(onPaper, expected), sizeRatio: 1 },
    ]
  })
  const photoLetters = findLetters(screen, paper, onImageBox, textGrounds.photo)
  const paperLetters = findLetters(screen, paper, onPaperBox, textGrounds.paper)
  expect(photoLetters.length, 'letters on the photo').toBeGreaterThan(5)
  expect(paperLetters.length, 'letters on paper').toBeGreaterThan(10)
  return [
    ...marks,
    ...photoLetters.map(([onScreen, onPaper]) => compareMark('a letter on the photo', onScreen, onPaper)),
    ...paperLetters.map(([onScreen, onPaper]) => compareMark('a letter on paper', onScreen, onPaper)),
  ]
}

/** Compares one print with the screen. Returns the largest deviation of a mark, in pixels. */
const comparePrint = async (chartCase: ChartCase, page: PrintPage): Promise<number> => {
  const chart = await drawChart(chartCase)
  const file = await renderOnPaper(chart)
  const { width, height } = file
  const screen = await readBitmap(await drawOnScreen(chart, page, { width, height }))
  const paper = await readBitmap(file.jpeg)
  expect([paper.width, paper.height]).toEqual([screen.width, screen.height])
  const deviations = compare(screen, paper, chart)
  const excessive = deviations.filter(
    ({ distancePx, sizeRatio }) => !(distancePx <= 1 && sizeRatio > 0.9 && sizeRatio < 1.1),
  )
  expect(excessive, `print ${JSON.stringify(chartCase)}, seed ${testSeed}`).toEqual([])
  return Math.max(...deviations.map(({ distancePx }) => distancePx))
}

test('A print matches the screen to within one pixel', async ({ browser }) => {
  const chartCases = [largePrint, ...cases()]
  test.setTimeout(60_000 + chartCases.length * 5_000)
  const page = await openPrintPage(browser)
  const largestDeviations: number[] = []
  for (const chartCase of chartCases) largestDeviations.push(await comparePrint(chartCase, page))
  await page.page.context().close()
  process.stdout.write(
    `     ${chartCases.length} prints, seed ${testSeed}: the largest deviation is ${Math.max(...largestDeviations).toFixed(2)} of at most 1 pixel\n`,
  )
})
