import { createElement, type FunctionComponent, type SVGProps } from 'react'

/** The content of an icon file: its shapes on a 24 × 24 grid. */
type Drawing = { node: readonly (readonly [tag: string, attributes: object])[] }

type Props = SVGProps<SVGSVGElement> & { size: string | number }

const strokeAttributes = {
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

/**
 * Creates an icon component from its shapes. The build replaces the package's `createLucideIcon` with this
 * (vite.config.ts), as far as `Icon` needs it.
 */
// biome-ignore lint/style/noDefaultExport: icon files of the package import the default
export default ({ node }: Drawing): FunctionComponent<Props> =>
  ({ size, ...svgProps }) =>
    createElement(
      'svg',
      { viewBox: '0 0 24 24', width: size, height: size, ...strokeAttributes, ...svgProps },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
