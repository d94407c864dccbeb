import { Fragment, type ReactNode } from 'react'
import { ownFrameInches } from '#domain/catalogue/catalogue.ts'
import {
  frameWidth,
  matWidth,
  type PrintScene,
  type SceneKind,
  shelfBottom,
  shelfGap,
  sideboardHeight,
  sideboardWidth,
} from '#domain/printing/print-scenes.ts'
import styles from './scenes.module.css'

/** A drawing over the whole scene; its unit is an inch. */
const SceneDrawing = ({ width, height, children }: Pick<PrintScene, 'width' | 'height'> & { children: ReactNode }) => (
  <svg className={styles.drawing} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
    {children}
  </svg>
)

const Wall = ({ width, height }: PrintScene) => {
  const left = (width - sideboardWidth) / 2
  const top = height - sideboardHeight
  const [vase, leaves] = [left + 30, top - 3]
  return (
    <>
      <path className={styles.plant} d={`M${vase} ${leaves}q-3-1-2.6-4q2.6 1 2.6 4q0-4 2.4-5q1 3-2.4 5z`} />
      <path className={styles.light} d={`M${vase - 1.2} ${leaves}h2.4l-.4 3h-1.6z`} />
      <rect className={styles.wood} x={left} y={top} width={sideboardWidth} height={sideboardHeight} />
      <rect className={styles.edge} x={left - 0.4} y={top} width={sideboardWidth + 0.8} height={0.9} />
      <path
        className={styles.groove}
        d={`M${left + 12} ${top + 0.9}v${sideboardHeight}m12 0v${-sideboardHeight}M${left + 5} ${top + 3}h2m10 0h2m10 0h2`}
      />
    </>
  )
}

type AroundProps = { print: PrintScene['prints'][number]; distance: number; className: string | undefined }

/** A rectangle around a print, at a distance on every side. */
const Around = ({ print, distance, className }: AroundProps) => (
  <rect
    className={className}
    x={print.x - distance}
    y={print.y - distance}
    width={print.width + 2 * distance}
    height={print.height + 2 * distance}
  />
)

/** A frame with a mat, around prints that come without one. */
const Frame = ({ prints }: PrintScene) =>
  prints.map(
    (print) =>
      print.hasFrame || (
        <Fragment key={print.index}>
          <Around print={print} distance={frameWidth + matWidth} className={styles.frame} />
          <Around print={print} distance={matWidth} className={styles.mat} />
          <Around print={print} distance={0.08} className={styles.bevel} />
        </Fragment>
      ),
  )

const Shelf = ({ width, height, prints }: PrintScene) => {
  const top = height - shelfBottom
  const left = Math.max(...prints.map((print) => print.x + print.width)) + shelfGap
  return (
    <>
      <rect className={styles.wood} x={0} y={top} width={width} height={1} />
      <path className={styles.light} d={`M${left} ${top - 4}h3.2v3.4q0 .6-.6 .6h-2q-.6 0-.6-.6z`} />
      <path className={styles.handle} d={`M${left + 3.2} ${top - 3.2}q1.3 0 1.3 1.1t-1.3 1.1`} />
      <rect className={styles.wood} x={left + 5.2} y={top - 9} width={1.1} height={9} />
      <rect className={styles.edge} x={left + 6.4} y={top - 8} width={1.1} height={8} />
    </>
  )
}

/** Draws in inches from the middle of the lower edge of the print that a hand holds. */
const atLowerEdge = ({ prints: [print] }: PrintScene): string =>
  print ? `translate(${print.x + print.width / 2} ${print.y + print.height})` : ''

/** The lines through the middle of the four fingers, from the palm to the tip. */
const fingers = ['M.8.1L-1.15-.2', 'M1.3.86L-1.3.62', 'M1.3 1.56L-1.1 1.46', 'M1.3 2.22L-.7 2.24']

/** The palm and the fingers behind the print; the thumb is in front of it. */
const Hand = (scene: PrintScene) => (
  <g transform={atLowerEdge(scene)}>
    <path className={styles.skin} d="M.4-.3Q1.9-.9 2.3.6Q2.5 1.6 3.4 2.5L5 4.2H1.4L.9 2.6z" />
    {fingers.map((line) => (
      <g key={line}>
        <path className={styles.fingerEdge} d={line} />
        <path className={styles.finger} d={line} />
      </g>
    ))}
  </g>
)

const backdrops: Record<SceneKind, (scene: PrintScene) => ReactNode> = {
  wall: Wall,
  frame: Frame,
  shelf: Shelf,
  hand: Hand,
}

/** What is drawn behind the prints of a scene. */
export const SceneBackdrop = (scene: PrintScene) => {
  const Backdrop = backdrops[scene.kind]
  return (
    <SceneDrawing {...scene}>
      <Backdrop {...scene} />
      {scene.prints.map(
        (print) =>
          print.hasFrame && (
            <Around key={print.index} print={print} distance={ownFrameInches} className={styles.frame} />
          ),
      )}
    </SceneDrawing>
  )
}

/** What is drawn in front of the prints: the thumb that holds them. */
export const SceneForeground = (scene: PrintScene) =>
  scene.kind === 'hand' && (
    <SceneDrawing {...scene}>
      <g transform={atLowerEdge(scene)}>
        <path
          className={styles.thumb}
          d="M1.2 4.2L.95 2.5Q.9 1.5.62.8L.2-.45Q.05-1.1.5-1.2Q.9-1.25 1.1-.7L1.6.35Q2.2.9 2.5 1.5Q2.8 2 3.4 2.5L5 4.2z"
        />
        <path className={styles.nail} d="M.33-.62Q.22-1.02.5-1.07Q.76-1.08.88-.72Q.6-.5.33-.62z" />
      </g>
    </SceneDrawing>
  )
