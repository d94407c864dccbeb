import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import '../../src/client/ui/tokens.css'
import { Print } from '../../src/client/customer/print.tsx'
import type { PrintPicture } from '../../src/client/customer/print-content.ts'
import type { PackageItem } from '../../src/domain/catalogue.ts'

/** A print as it travels to the page: maps do not. */
export type ChartOnScreen = {
  item: PackageItem
  pictures: [number, PrintPicture][]
  texts: [number, string][]
}

const box = document.body.appendChild(document.createElement('div'))
document.body.style.margin = '0'
const root = createRoot(box)
let drawn = 0

/** Draws a print of so many pixels across into the upper left corner, in place of the one before. */
const draw = ({ item, pictures, texts }: ChartOnScreen, across: number) => {
  box.style.inlineSize = `${across}px`
  drawn += 1
  const content = { pictures: new Map(pictures), texts: new Map(texts) }
  flushSync(() => root.render(<Print key={drawn} item={item} content={content} />))
}

Object.assign(window, { draw })
