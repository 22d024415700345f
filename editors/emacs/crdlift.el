;;; crdlift.el --- crdlift for Emacs, by Eglot -*- lexical-binding: t; -*-

;; Put this into your init file. Emacs 29 and newer have Eglot and yaml-ts-mode; earlier ones have them as packages.

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((yaml-mode yaml-ts-mode json-mode json-ts-mode js-json-mode) . ("crdlift" "lsp"))))

(dolist (hook '(yaml-mode-hook yaml-ts-mode-hook json-mode-hook json-ts-mode-hook js-json-mode-hook))
  (add-hook hook #'eglot-ensure))

;;; crdlift.el ends here
