import Trash from 'lucide-react/icons/trash-2'
import { useId } from 'react'
import type { ImageNode, PackageItem, PositionCoords, TextNode } from '#domain/catalogue/catalogue.ts'
import { clampToPrint } from '#domain/catalogue/node-position.ts'
import { mayCrop } from '#domain/catalogue/nodes.ts'
import { aspectOf, cropAspect } from '#domain/printing/crop-aspect.ts'
import { Button } from '#ui/button/button.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { changeImage, changeText, type EditorNode, placeNode } from './editor-draft.ts'
import { NumberField } from './number-field.tsx'
import styles from './package-editor.module.css'

type NodeFieldsProps = {
  item: PackageItem
  editorNode: EditorNode
  /** Changes the item. Consecutive changes of the same `group` are one undo step. */
  onItem: (change: (item: PackageItem) => PackageItem, group?: string) => void
  onSettled: () => void
  onRemove: () => void
  /** Error messages by field name of the node. */
  errors: (field: string) => readonly string[]
}

/** Fields of the selected node: its properties and its position in numbers. */
export const NodeFields = (props: NodeFieldsProps) => {
  const { item, editorNode, onItem, onSettled, onRemove, errors } = props
  const { kind, node } = editorNode
  const isImage = kind === 'image'
  const rename = (name: string) =>
    onItem(
      (before) => (isImage ? changeImage(before, node.id, { name }) : changeText(before, node.id, { name })),
      `name ${node.id}`,
    )
  return (
    <section className={styles.fields} aria-label={isImage ? 'Image' : 'Text'}>
      <div className={styles.fieldsHead}>
        <h3>{isImage ? 'Image' : 'Text'}</h3>
        <Button variant="quiet" icon={Trash} onClick={onRemove}>
          Remove
        </Button>
      </div>
      <Field
        label="Name"
        hint={
          isImage
            ? 'With “Image” for the child’s photo or “Group” for the group’s, and a number'
            : 'What customers see next to the field'
        }
        errors={errors('name')}
      >
        <TextInput value={node.name} onValue={rename} onBlur={onSettled} />
      </Field>
      {editorNode.kind === 'image' ? (
        <ImageFields {...props} node={editorNode.node} />
      ) : (
        <TextFields {...props} node={editorNode.node} />
      )}
      <PositionFields
        node={node}
        errors={errors('positionCoords')}
        onSettled={onSettled}
        onPlace={(position) =>
          onItem((before) => placeNode(before, node.id, clampToPrint(position)), `place ${node.id}`)
        }
      />
      {editorNode.kind === 'image' && <AspectFields item={item} node={editorNode.node} onItem={onItem} />}
    </section>
  )
}

const ImageFields = ({ item, node, onItem }: NodeFieldsProps & { node: ImageNode }) => {
  const isNeverCropped = !mayCrop(item, { ...node, allowConsumerCrop: true })
  return (
    <>
      <Checkbox
        label="Customers may crop it"
        hint={isNeverCropped ? 'This product is never cropped' : undefined}
        disabled={isNeverCropped}
        checked={node.allowConsumerCrop && !isNeverCropped}
        onValue={(allowConsumerCrop) => onItem((item) => changeImage(item, node.id, { allowConsumerCrop }))}
      />
      <Checkbox
        label="Artwork of the studio"
        hint="The same on every print"
        checked={node.static}
        onValue={(isStatic) => onItem((item) => changeImage(item, node.id, { static: isStatic }))}
      />
    </>
  )
}

const suggestedSources = [
  'Name',
  'First name',
  'Last name',
  'Phone',
  'Email',
  'Date of birth',
  'Teacher',
  'Grade',
  'Team',
  'Position',
  'Jersey Number',
]

const TextFields = ({ node, onItem, onSettled, errors }: NodeFieldsProps & { node: TextNode }) => {
  const listId = useId()
  const changeNode = (change: Partial<TextNode>, field: string) =>
    onItem((item) => changeText(item, node.id, change), `${field} ${node.id}`)
  return (
    <>
      <Checkbox
        label="Customers may type it"
        checked={node.editable}
        onValue={(editable) => onItem((item) => changeText(item, node.id, { editable }))}
      />
      <datalist id={listId}>
        {suggestedSources.map((source) => (
          <option key={source} value={source} />
        ))}
      </datalist>
      <Field
        label="Filled in with"
        hint="A field of the person, such as Name or Team"
        optional
        errors={errors('dataSource')}
      >
        <TextInput
          list={listId}
          value={node.dataSource ?? ''}
          onValue={(text) => changeNode({ dataSource: text || null }, 'source')}
          onBlur={onSettled}
        />
      </Field>
      <Field label="Or else with" hint="Where the first is empty" optional errors={errors('altDataSource')}>
        <TextInput
          list={listId}
          value={node.altDataSource ?? ''}
          onValue={(text) => changeNode({ altDataSource: text || null }, 'other')}
          onBlur={onSettled}
        />
      </Field>
      <Field label="Or this text" hint="Shown before anyone types" optional errors={errors('value')}>
        <TextInput value={node.value} onValue={(value) => changeNode({ value }, 'value')} onBlur={onSettled} />
      </Field>
    </>
  )
}

type PositionFieldsProps = {
  node: { positionCoords: PositionCoords }
  errors: readonly string[]
  onPlace: (position: PositionCoords) => void
  onSettled: () => void
}

const positionFields = [
  ['x', 'Left, %'],
  ['y', 'Top, %'],
  ['width', 'Width, %'],
  ['height', 'Height, %'],
] as const

const PositionFields = ({ node: { positionCoords: box }, errors, onPlace, onSettled }: PositionFieldsProps) => (
  <fieldset className={styles.positionFields}>
    <legend>Position on the print</legend>
    {positionFields.map(([field, label]) => (
      <NumberField
        key={field}
        label={label}
        value={box[field]}
        step={0.5}
        onNumber={(value) => value !== null && Number.isFinite(value) && onPlace({ ...box, [field]: value })}
        onBlur={onSettled}
      />
    ))}
    {errors.length > 0 && <p className={styles.error}>{errors.join(', ')}</p>}
  </fieldset>
)

const printRatios = [
  ['5/7', 5 / 7],
  ['7/5', 7 / 5],
  ['10/8', 10 / 8],
  ['8/10', 8 / 10],
] as const

const formatInches = (value: number): string => String(Math.round(value * 100) / 100)

type AspectFieldsProps = Pick<NodeFieldsProps, 'item' | 'onItem'> & { node: ImageNode }

/** The printed size of an image, and the aspect ratio in which customers crop it (section 4). */
const AspectFields = ({ item, node, onItem }: AspectFieldsProps) => {
  const { widthInches, heightInches } = item
  const aspect = aspectOf(node, item)
  if (!widthInches || !heightInches || aspect === null) return null
  const { positionCoords: box } = node
  const crop = cropAspect({
    nodeAspect: aspect,
    organizationType: 'school',
    imageType: 'hosted-individual',
    imageWidth: 4,
    imageHeight: 5,
  })
  const cropLabel = printRatios.find(([, value]) => Math.abs(value - crop.aspect) < 1e-6)?.[0] ?? '8/10'
  const setRatio = (ratio: number) => {
    const height = (box.width * widthInches) / (ratio * heightInches)
    // Changes the height, unless it would exceed the print. Then the width is reduced instead.
    const position =
      height <= 100 ? { ...box, height } : { ...box, height: 100, width: (100 * heightInches * ratio) / widthInches }
    onItem((before) => placeNode(before, node.id, clampToPrint(position)))
  }
  return (
    <div className={styles.ratio}>
      <p>
        {formatInches((box.width / 100) * widthInches)} × {formatInches((box.height / 100) * heightInches)} in, ratio{' '}
        <span className="tabular">{aspect.toFixed(3)}</span>.{' '}
        {crop.warning
          ? `Unusual shape: customers crop it ${cropLabel}, and the print shows the middle of that.`
          : `Customers crop it ${cropLabel}.`}
      </p>
      <fieldset className={styles.ratioButtons}>
        <legend>Make it</legend>
        {printRatios.map(([label, value]) => (
          <Button
            key={label}
            variant="secondary"
            size="sm"
            aria-pressed={label === cropLabel && !crop.warning}
            onClick={() => setRatio(value)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}
