import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import '#ui/tokens.css'
import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import type { PrintImage } from '#ui/print/print-content.ts'
import { PrintPreview } from '#ui/print/print-preview.tsx'

/** A chart without maps, which cannot be serialized to the page. */
export type SerializedChart = {
  item: PackageItem
  images: [number, PrintImage][]
  texts: [number, string][]
}

const box = document.body.appendChild(document.createElement('div'))
document.body.style.margin = '0'
const root = createRoot(box)
let drawCount = 0

/** Draws a print with this width in pixels into the upper left corner, replacing the previous one. */
const draw = ({ item, images, texts }: SerializedChart, widthPx: number) => {
  box.style.inlineSize = `${widthPx}px`
  drawCount += 1
  const content = { images: new Map(images), texts: new Map(texts) }
  flushSync(() => root.render(<PrintPreview key={drawCount} item={item} content={content} />))
}

Object.assign(window, { draw })
