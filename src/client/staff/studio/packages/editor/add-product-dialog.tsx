import type { StaffProduct } from '#contract/studio/products.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import styles from './package-editor.module.css'

type AddProductDialogProps = {
  open: boolean
  onClose: () => void
  products: readonly StaffProduct[]
  onAdd: (product: StaffProduct) => void
}

const sizeOf = ({ widthInches, heightInches }: StaffProduct): string =>
  widthInches && heightInches ? `${widthInches} × ${heightInches} in` : 'A file'

const suggestedPriceOf = ({ suggestedPriceCents }: StaffProduct): string =>
  suggestedPriceCents === null ? '' : `, suggested price ${formatMoney(suggestedPriceCents)}`

/** Lists the products; a tap adds one to the package. */
export const AddProductDialog = ({ open, onClose, products, onAdd }: AddProductDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Add product">
    <ul className={styles.products}>
      {products.map((product) => (
        <li key={product.code}>
          <button
            type="button"
            className={styles.product}
            onClick={() => {
              onAdd(product)
              onClose()
            }}
          >
            {product.imageUrl && <img src={product.imageUrl} alt="" loading="lazy" />}
            <strong>{product.name}</strong>
            <small>
              {sizeOf(product)}
              {suggestedPriceOf(product)}
            </small>
          </button>
        </li>
      ))}
    </ul>
  </Dialog>
)
