import ImagePlus from 'lucide-react/icons/image-plus'
import TextPlus from 'lucide-react/icons/type'
import Users from 'lucide-react/icons/users'
import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import { Button } from '#ui/button/button.tsx'
import { addImage, addText, type EditorDraft } from './editor-draft.ts'
import styles from './package-editor.module.css'

type ItemToolbarProps = {
  draft: EditorDraft
  item: PackageItem
  onAdd: (added: ReturnType<typeof addImage>) => void
}

/** Buttons that add an image or a text to an item. */
export const ItemToolbar = ({ draft, item, onAdd }: ItemToolbarProps) => (
  <div className={styles.tools}>
    <Button variant="secondary" icon={ImagePlus} onClick={() => onAdd(addImage(draft, item, 'Image'))}>
      Image
    </Button>
    <Button variant="secondary" icon={Users} onClick={() => onAdd(addImage(draft, item, 'Group'))}>
      Group
    </Button>
    <Button variant="secondary" icon={TextPlus} onClick={() => onAdd(addText(draft, item))}>
      Text
    </Button>
  </div>
)
