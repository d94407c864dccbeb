import { useImageUpload } from '#client/staff/kit/form/use-image-upload.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import {
  deleteProductImage,
  getPlatformProduct,
  type PlatformProduct,
  putProductImage,
} from '#contract/system/platform-products.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { MessageList } from '#ui/form/message-list.tsx'
import styles from './products.module.css'

/** Shows the image of a product. It is replaced and removed at once, not with the form. */
export const ProductImage = ({ product }: { product: PlatformProduct }) => {
  const params = { id: product.id }
  // The dialog's product is as it was when it was opened.
  const { data: { imageUrl } = product } = useStaffQuery(getPlatformProduct, { params })
  const { mutate } = useStaffMutation(putProductImage)
  const removal = useStaffMutation(deleteProductImage)
  const { errors, clearErrors, renderButton } = useImageUpload({
    label: 'Image',
    accept: 'image/jpeg,image/png,image/webp',
    send: (form) => mutate({ params, form }, { onError: 'silent' }),
  })
  const remove = async () => {
    const title = 'Remove the image?'
    const message = 'Studios see the product without an image.'
    if (!(await confirm({ title, message, confirmText: 'Remove', danger: true }))) return
    clearErrors()
    await removal.mutate({ params })
  }
  return (
    <section className={styles.image} aria-label="Image">
      <h3>Image</h3>
      {imageUrl && <img src={imageUrl} alt={product.name} />}
      <p>A JPEG, PNG or WebP of up to 5 MB. Studios see it when they add the product to a package.</p>
      <div className={styles.actions}>
        {renderButton(imageUrl ? 'Replace image' : 'Upload image')}
        {imageUrl && (
          <Button variant="quiet" loading={removal.busy} onClick={() => void remove()}>
            Remove image
          </Button>
        )}
      </div>
      <div role="alert" className={styles.errors}>
        <MessageList messages={errors} />
      </div>
    </section>
  )
}
