/** Sentences of pointing, following and looking back, in both languages. */
export const pointingEn = {
  "act.thenHint": "Outlined with dots: where it can go. One click there, or drag it.",
  "act.viaHint": "A click on another of your pieces ends with this one.",
  "act.allOf": "{verb}: all ({n})",
  "act.theRest": "{action}: the same for the rest",
  "act.asOften": "{action}: as often as possible",
  "act.series": "Done at once: {n} actions. One undo takes them all back.",
  "act.endsDice": "Dice fall.",
  "act.endsReveals": "Something is revealed: cannot be taken back.",
  "act.endsOthers": "Then the other side decides.",
  "act.afterwards": "Then",
} as const;

export const pointingFr: Record<keyof typeof pointingEn, string> = {
  "act.thenHint": "En pointillé : où il peut aller. Touchez-y, ou faites-le glisser.",
  "act.viaHint": "Choisir un autre de vos pions en finit avec celui-ci.",
  "act.allOf": "{verb} : tous ({n})",
  "act.theRest": "{action} : de même pour le reste",
  "act.asOften": "{action} : autant de fois que possible",
  "act.series": "Fait d’un coup : {n} actions. Une seule annulation les reprend toutes.",
  "act.endsDice": "Les dés tombent.",
  "act.endsReveals": "Quelque chose est révélé : impossible d’annuler.",
  "act.endsOthers": "Ensuite, l’autre camp décide.",
  "act.afterwards": "Ensuite",
};
