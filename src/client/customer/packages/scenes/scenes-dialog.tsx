import { lazy, useState } from 'react'
import type { PrintScene, SceneKind } from '#domain/printing/print-scenes.ts'
import { Tabs } from '#ui/navigation/tabs.tsx'
import type { PrintedItem } from '#ui/print/package-prints.tsx'
import { PrintPreview } from '#ui/print/print-preview.tsx'
import { SceneBackdrop, SceneForeground } from './scene-drawings.tsx'
import styles from './scenes.module.css'

const Dialog = lazy(async () => ({ default: (await import('#ui/dialog/dialog.tsx')).Dialog }))

const tabNames: Record<SceneKind, string> = { wall: 'Wall', frame: 'Frame', shelf: 'Shelf', hand: 'Hand' }

/** Where the prints are, for the text alternative. */
const sceneNames: Record<SceneKind, string> = {
  wall: 'On a wall',
  frame: 'In a frame',
  shelf: 'On a shelf',
  hand: 'In a hand',
}

/** What is drawn with the prints, for comparison. */
const comparisons: Record<SceneKind, string> = {
  wall: 'The sideboard is 36 in wide.',
  frame: 'The frame is an example and is not included.',
  shelf: 'The mug is 4 in tall.',
  hand: 'The hand is an adult’s.',
}

type ScenesDialogProps = {
  /** At least one scene. */
  scenes: readonly PrintScene[]
  /** The prints to which the scenes refer. */
  prints: readonly PrintedItem[]
  onClose: () => void
}

/** The prints on a wall, in a frame, on a shelf and in a hand, each scene to one scale. */
export const ScenesDialog = ({ scenes, prints, onClose }: ScenesDialogProps) => {
  const [kind, setKind] = useState(() => firstSceneOf(scenes)?.kind)
  const scene = scenes.find((candidate) => candidate.kind === kind)
  if (!scene) return null
  const tabs = scenes.map((candidate) => ({ id: candidate.kind, label: tabNames[candidate.kind] }))
  const select = (id: string) => setKind(scenes.find((candidate) => candidate.kind === id)?.kind)
  return (
    <Dialog open onClose={onClose} title="See it in a room">
      <Tabs label="Places" tabs={tabs} selected={scene.kind} onSelect={select}>
        <Scene scene={scene} prints={prints} />
      </Tabs>
    </Dialog>
  )
}

/** The frame for a print that has one. */
const firstSceneOf = (scenes: readonly PrintScene[]): PrintScene | undefined =>
  scenes.find((scene) => scene.kind === 'frame' && hasFrame(scene)) ?? scenes[0]

const hasFrame = ({ prints }: PrintScene): boolean => prints.some((print) => print.hasFrame)

/** The size as products name it: an upright or a wide “8×10”. */
const sizeName = ({ width, height }: PrintScene['prints'][number]): string =>
  `${Math.min(width, height)}×${Math.max(width, height)} in`

const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`

const Scene = ({ scene, prints }: Pick<ScenesDialogProps, 'prints'> & { scene: PrintScene }) => {
  const { kind, width, height } = scene
  const sizes = [...new Set(scene.prints.map(sizeName))].join(', ')
  return (
    <figure className={styles.figure}>
      <div
        role="img"
        aria-label={`${sceneNames[kind]}: ${sizes}, drawn to scale`}
        className={styles.scene}
        style={{ aspectRatio: width / height, inlineSize: `min(100%, ${(52 * width) / height}dvh)` }}
      >
        <SceneBackdrop {...scene} />
        {scene.prints.map(({ index, ...box }) => {
          const print = prints[index]
          const style = {
            insetInlineStart: percent(box.x, width),
            insetBlockStart: percent(box.y, height),
            inlineSize: percent(box.width, width),
          }
          return (
            print && (
              <div key={index} className={styles.print} style={style}>
                <PrintPreview {...print} />
              </div>
            )
          )
        })}
        <SceneForeground {...scene} />
      </div>
      <figcaption className={styles.caption}>
        {sizes}, drawn to scale. {kind === 'frame' && hasFrame(scene) ? 'The frame is included.' : comparisons[kind]}
      </figcaption>
    </figure>
  )
}
