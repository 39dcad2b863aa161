;; Works on the project in $CHECK_PROJECT as a user would, and writes what it sees to $CHECK_REPORT.

(require 'package)
(package-initialize)
(require 'lsp-mode)
(require 'json)
(load (getenv "CHECK_SNIPPET"))
(add-to-list 'auto-mode-alist '("\\.rs\\'" . rust-mode))

(defvar project (file-name-as-directory (getenv "CHECK_PROJECT")))

(setq lsp-auto-guess-root nil
      lsp-diagnostics-provider :flymake
      lsp-enabled-clients '(leverlint)
      lsp-headerline-breadcrumb-enable nil
      lsp-idle-delay 0.1
      lsp-restart 'ignore
      inhibit-message t)
(lsp-workspace-folders-add project)

(defun report (step value)
  (write-region (concat (json-encode `((step . ,step) (value . ,value))) "\n")
                nil (getenv "CHECK_REPORT") t))

(defmacro wait-until (form)
  `(let ((end (+ (float-time) 10)))
     (while (and (not ,form) (< (float-time) end))
       (accept-process-output nil 0.05)
       (sit-for 0.05))))

(defun open (path)
  (find-file (concat project path))
  (setq-local indent-tabs-mode nil)
  (lsp)
  (wait-until lsp-mode))

(defun diagnostics ()
  (gethash (lsp--fix-path-casing (buffer-file-name)) (lsp-diagnostics)))

(defun region (range)
  (lsp--range-to-region range))

(defun findings ()
  (vconcat
   (mapcar (lambda (found)
             (let ((marked (region (lsp-get found :range))))
               (vector (lsp-get found :code)
                       (buffer-substring-no-properties (car marked) (cdr marked)))))
           (diagnostics))))

(defun at (needle)
  (goto-char (point-min))
  (search-forward needle)
  (goto-char (match-beginning 0)))

(defun places (locations)
  (vconcat
   (mapcar (lambda (location)
             (format "%s:%d" (file-relative-name (lsp--uri-to-path (lsp-get location :uri)) project)
                     (1+ (lsp-get (lsp-get (lsp-get location :range) :start) :line))))
           (append locations nil))))

(defun act (needle wanted)
  "Apply the action that is offered at NEEDLE and has WANTED in its title; give all titles."
  (at needle)
  (let* ((actions (lsp-code-actions-at-point))
         (chosen (seq-find (lambda (action) (string-match wanted (lsp-get action :title))) actions)))
    (when chosen (lsp-execute-code-action chosen))
    (vconcat (mapcar (lambda (action) (lsp-get action :title)) actions))))

(open "engine/decode.py")
(wait-until (>= (length (diagnostics)) 2))
(report "findings" (findings))
(at "DEMO_POISON")
(let ((hover (lsp-request "textDocument/hover" (lsp--text-document-position-params))))
  (report "hover" (lsp-get (lsp-get hover :contents) :value)))
(report "definition" (places (lsp-request "textDocument/definition" (lsp--text-document-position-params))))
(report "references"
        (places (lsp-request "textDocument/references" (lsp--make-reference-params nil t))))

(at "    if poison")
(insert "    trace = \"wide\"; trace = flag(\"DEMO_TRACE\")\n")
(wait-until (= (length (diagnostics)) 3))
(report "typed" (findings))
(at "    trace =")
(delete-region (point) (progn (forward-line 1) (point)))
(wait-until (= (length (diagnostics)) 2))
(report "typed and removed" (findings))

(let ((decode (current-buffer)) (body "os.environ.get(name) == \"1\""))
  (open "engine/flags.py")
  (at body)
  (delete-region (point) (line-end-position))
  (insert "False")
  (with-current-buffer decode
    (wait-until (= (length (diagnostics)) 1))
    (report "wrapper edited" (findings)))
  (delete-char -5)
  (insert body)
  (with-current-buffer decode (wait-until (= (length (diagnostics)) 2)))
  (switch-to-buffer decode))

(report "actions" (act "os.environ.get" "[Ss]uppress"))
(report "suppressed" (buffer-string))
(wait-until (= (length (diagnostics)) 1))
(report "left" (findings))
(act "flag(\"DEMO_POISON\")" "Levers.get")
(report "fixed" (buffer-string))
(set-buffer-modified-p nil)

(open "kernel/src/lib.rs")
(wait-until (>= (length (diagnostics)) 1))
(report "rust" (findings))
(kill-emacs 0)
