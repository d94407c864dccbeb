import type { CartPackage } from '#domain/cart/cart.ts'

/**
 * Rows for the items of lines, each with the id of its `line`; the functions below do the same for texts, images and
 * fields.
 */
export const itemsOf = (lines: readonly CartPackage[]) =>
  lines.flatMap((line) =>
    line.cartPackageItems.map((item, position) => ({
      line: line.lineId,
      item: item.packageItemId,
      name: item.name,
      code: item.productCode,
      position,
    })),
  )

export const textsOf = (lines: readonly CartPackage[]) =>
  lines.flatMap((line) =>
    line.cartPackageItems.flatMap((item) =>
      item.textNodes.map((node, position) => ({
        line: line.lineId,
        item: item.packageItemId,
        node: node.packageItemTextNodeId,
        value: node.value,
        filled: node.autoFilled,
        position,
      })),
    ),
  )

export const imagesOf = (lines: readonly CartPackage[]) =>
  lines.flatMap((line) =>
    line.cartPackageItems.flatMap((item) =>
      item.imageNodes.map((node, position) => ({
        line: line.lineId,
        item: item.packageItemId,
        node: node.packageItemImageNodeId,
        subject: node.subjectImageId,
        group: node.groupImageId,
        replacement: node.replacementImageId,
        crop: node.cropDimensions,
        editor: node.frontendCropDimensions,
        rotation: node.rotation,
        position,
      })),
    ),
  )

export const fieldsOf = (lines: readonly CartPackage[]) =>
  lines.flatMap((line) =>
    line.dataFields.map((field, position) => ({
      line: line.lineId,
      subject: field.subjectId ?? line.subjectId,
      name: field.name,
      value: field.value,
      template: field.templateId,
      option: field.optionId,
      position,
    })),
  )
